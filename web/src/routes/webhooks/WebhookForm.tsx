import { Button, Checkbox, Radio, Stack, Text, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import type { ApiError } from '../../api/error';
import { visibleText } from '../../core/visible';
import { fieldFaults, focusFault, RefusalText } from '../../ui/RefusalText';
import { useSubmission } from '../../ui/useSubmission';
import { partnersDirectory } from '../PartnerFilter';
import type { Webhook, WebhookTerms } from './api';
import { EVENT_GROUPS, EVENT_NOTES, type EventType } from './events';
import classes from './webhooks.module.css';

const MAX_DESCRIPTION_CHARS = 200;

interface Props {
  label: string;
  button: string;
  /** What is changed; absent: a new endpoint. */
  of?: Webhook;
  onCancel: () => void;
  save: (terms: WebhookTerms) => Promise<void>;
}

interface Typed {
  url: string;
  description: string;
  /** Whether calls are about `events` alone. */
  areEventsChosen: boolean;
  events: EventType[];
  arePartnersChosen: boolean;
  /** Their ids, as the boxes have them. */
  partner_ids: string[];
}

const FIELDS = ['url', 'description', 'events', 'partner_ids'];

/** Where and about what an endpoint is called. */
export function WebhookForm({ label, button, of, onCancel, save }: Props) {
  const form = useForm<Typed>({
    initialValues: typedOf(of),
    validate: {
      url: (url) => (url.trim() === '' ? 'Enter the URL that is to be called.' : null),
      events: (events, { areEventsChosen }) =>
        areEventsChosen && events.length === 0 ? 'Choose at least one event.' : null,
      partner_ids: (ids, { arePartnersChosen }) =>
        arePartnersChosen && ids.length === 0 ? 'Choose at least one partner.' : null,
    },
  });
  const { busy, refusal, left, run } = useSubmission();
  const refused = (error: ApiError) => {
    const faults = fieldFaults(error, FIELDS);
    form.setErrors(faults);
    focusFault(form, faults);
    return Object.keys(faults).length > 0;
  };
  const submit = form.onSubmit(
    (typed) => run(() => save(termsOf(typed)), refused),
    (faults) => focusFault(form, faults),
  );
  return (
    <form onSubmit={submit} aria-label={label} noValidate>
      <Stack gap="lg">
        <TextInput
          label="URL"
          description="Production needs https. Addresses that are not public are refused unless the operator allows them."
          type="url"
          required
          data-autofocus
          {...form.getInputProps('url')}
        />
        <TextInput
          label="Description"
          description="For example the program that receives the calls."
          maxLength={MAX_DESCRIPTION_CHARS}
          {...form.getInputProps('description')}
        />
        <EventFields form={form} />
        <PartnerFields form={form} />
        <RefusalText refusal={refusal} left={left} />
        <div className={classes.buttons}>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={busy} disabled={left > 0}>
            {button}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

function typedOf(of: Webhook | undefined): Typed {
  const { url = '', description = '', events = [], partner_ids = [] } = of ?? {};
  return {
    ...{ url, description, events },
    areEventsChosen: events.length > 0,
    arePartnersChosen: partner_ids.length > 0,
    partner_ids: partner_ids.map(String),
  };
}

function termsOf(typed: Typed): WebhookTerms {
  return {
    url: typed.url.trim(),
    description: typed.description.trim(),
    events: typed.areEventsChosen ? typed.events : [],
    partner_ids: typed.arePartnersChosen ? typed.partner_ids.map(Number) : [],
  };
}

interface FieldsProps {
  form: UseFormReturnType<Typed>;
}

function EventFields({ form }: FieldsProps) {
  const { areEventsChosen } = form.values;
  return (
    <Stack gap="sm">
      <AllOrChosen
        label="Events"
        all="All events"
        chosen="Chosen events"
        isChosen={areEventsChosen}
        onChosen={(value) => form.setFieldValue('areEventsChosen', value)}
      />
      {areEventsChosen && (
        <Checkbox.Group aria-label="Chosen events" {...form.getInputProps('events')}>
          <div className={classes.groups}>
            {EVENT_GROUPS.map(({ name, types }) => (
              <fieldset key={name} className={classes.group}>
                <legend>{name}</legend>
                {types.map((type) => (
                  <Checkbox key={type} value={type} label={type} description={EVENT_NOTES[type]} />
                ))}
              </fieldset>
            ))}
          </div>
        </Checkbox.Group>
      )}
    </Stack>
  );
}

function PartnerFields({ form }: FieldsProps) {
  const { arePartnersChosen, partner_ids } = form.values;
  const partners = useQuery(partnersDirectory);
  const known = (partners.data ?? []).map(({ id, name }) => [String(id), name] as const);
  // What is saved stays shown, even if the list does not have it.
  const missing = partner_ids.filter((id) => known.every(([each]) => each !== id));
  const choices = [...known, ...missing.map((id) => [id, `Partner ${id}`] as const)];
  return (
    <Stack gap="sm">
      <AllOrChosen
        label="Partners"
        all="Events of all partners, and those about no partner"
        chosen="Only events about chosen partners"
        isChosen={arePartnersChosen}
        onChosen={(value) => form.setFieldValue('arePartnersChosen', value)}
      />
      {arePartnersChosen && (
        <Checkbox.Group aria-label="Chosen partners" {...form.getInputProps('partner_ids')}>
          <div className={classes.list}>
            {choices.map(([id, name]) => (
              <Checkbox key={id} value={id} label={visibleText(name)} />
            ))}
          </div>
        </Checkbox.Group>
      )}
      {partners.isError && (
        <Text size="sm" c="var(--ls-err)">
          The partners could not be loaded.
        </Text>
      )}
    </Stack>
  );
}

interface ChoiceProps {
  label: string;
  all: string;
  chosen: string;
  isChosen: boolean;
  onChosen: (isChosen: boolean) => void;
}

function AllOrChosen({ label, all, chosen, isChosen, onChosen }: ChoiceProps) {
  return (
    <Radio.Group
      label={label}
      value={isChosen ? 'chosen' : 'all'}
      onChange={(value) => onChosen(value === 'chosen')}
    >
      <Stack gap="sm" mt="xs">
        <Radio value="all" label={all} />
        <Radio value="chosen" label={chosen} />
      </Stack>
    </Radio.Group>
  );
}
