import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { useSession } from '../../api/session';
import { useLeaving } from '../../mapper/useLeaving';
import { Icon } from '../../ui/Icon';
import { RefusalText } from '../../ui/RefusalText';
import { Time } from '../../ui/Time';
import { lastChange } from './changes';
import classes from './partners.module.css';
import type { Section } from './useSection';

interface Props {
  /** Names the form. */
  label: string;
  section: Section<object>;
  children: ReactNode;
}

/** A part of a partner that can be changed, by those who may; others see it as it is. */
export function SectionForm({ label, section, children }: Props) {
  const { user } = useSession();
  const form = useRef<HTMLFormElement>(null);
  const { faults, submission, isDirty } = section;
  // Nobody should have to look for what is wrong.
  useEffect(() => {
    if (Object.keys(faults).length === 0) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [faults]);
  const mayChange = user.role !== 'viewer';
  return (
    <form
      ref={form}
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        section.save();
      }}
    >
      <Stack gap="lg">
        <fieldset className={classes.fields} disabled={!mayChange}>
          {children}
        </fieldset>
        <Conflict section={section} />
        <RefusalText refusal={submission.refusal} left={submission.left} />
        {mayChange && section.theirs === null && (
          <Group gap="sm">
            <Button
              type="submit"
              loading={submission.busy}
              disabled={!isDirty || submission.left > 0}
            >
              Save
            </Button>
            {isDirty && (
              <Button variant="default" onClick={section.undo}>
                Undo changes
              </Button>
            )}
          </Group>
        )}
      </Stack>
      <LeavingDialog isDirty={isDirty} what={label} />
    </form>
  );
}

function Conflict({ section }: { section: Section<object> }) {
  const { theirs, isOverlapping, saveMine, takeTheirs, submission } = section;
  const { user } = useSession();
  const change = useQuery({
    queryKey: ['partner', String(theirs?.id), 'last change', theirs?.revision],
    queryFn: () => lastChange(theirs?.id ?? 0),
    enabled: theirs !== null && user.role === 'owner',
  });
  if (theirs === null) return null;
  const { who, at } = change.data ?? { who: null, at: theirs.updated_at };
  return (
    <Alert
      role="alert"
      variant="outline"
      color="var(--ls-warn)"
      icon={<Icon name="alert" />}
      title="This partner was changed in the meantime"
    >
      <Stack gap="sm" align="flex-start">
        <Text size="md">
          {who ?? 'Another user'} saved it <Time value={at} />
          after you opened it.{' '}
          {isOverlapping
            ? 'The part shown here was changed too. Your changes are not saved yet, and nothing is lost.'
            : 'The part shown here was not changed. Your changes are not saved yet.'}
        </Text>
        <Group gap="sm">
          <Button variant="default" loading={submission.busy} onClick={saveMine}>
            {isOverlapping ? 'Overwrite with mine' : 'Save mine'}
          </Button>
          <Button variant="default" onClick={takeTheirs}>
            Load theirs, discard mine
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function LeavingDialog({ isDirty, what }: { isDirty: boolean; what: string }) {
  const leaving = useLeaving(isDirty);
  const stay = () => leaving.status === 'blocked' && leaving.reset();
  const go = () => leaving.status === 'blocked' && leaving.proceed();
  return (
    <Modal opened={leaving.status === 'blocked'} onClose={stay} title="Unsaved changes">
      <Stack gap="md">
        <Text>“{what}” has changes that are not saved.</Text>
        <Group gap="sm">
          <Button variant="default" onClick={stay} data-autofocus>
            Stay
          </Button>
          <Button variant="default" onClick={go}>
            Leave without saving
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
