import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import {
  MAX_NAME_CHARS,
  MAX_VIEWS,
  type SavedView,
  withoutView,
  withView,
} from '../../core/savedViews';
import { announce } from '../../ui/LiveRegion';
import { VisibleText } from '../../ui/VisibleText';
import classes from './Transactions.module.css';

interface Props {
  /** What the list is narrowed by now. */
  filters: Record<string, string>;
  views: SavedView[];
  onKeep: (views: SavedView[]) => void;
  onClose: () => void;
}

/** Keeps the filters of the list under a name, and deletes what was kept. */
export function ViewsDialog({ filters, views, onKeep, onClose }: Props) {
  const remove = (name: string) => {
    onKeep(withoutView(views, name));
    announce(`The view ${name} was deleted.`);
  };
  return (
    <Modal opened onClose={onClose} title="Views">
      <Stack gap="lg">
        {Object.keys(filters).length === 0 ? (
          <Text>Filter the list first; then you can save the filters as a view.</Text>
        ) : (
          <KeepForm filters={filters} views={views} onKeep={onKeep} onClose={onClose} />
        )}
        {views.length > 0 && (
          <ul className={classes.list} aria-label="Your views">
            {views.map(({ name }) => (
              <li key={name}>
                <VisibleText text={name} />
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Delete ${name}`}
                  onClick={() => remove(name)}
                >
                  Delete
                </Button>
              </li>
            ))}
          </ul>
        )}
        <Text size="sm" c="dimmed">
          Views are stored in this browser, only for you.
        </Text>
      </Stack>
    </Modal>
  );
}

function KeepForm({ filters, views, onKeep, onClose }: Props) {
  const [name, setName] = useState('');
  const [fault, setFault] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const named = name.trim();
    const kept = withView(views, { name: named, filters });
    if (named === '') setFault('Enter a name.');
    else if (kept === null) setFault(`You can save at most ${MAX_VIEWS} views. Delete one first.`);
    else {
      onKeep(kept);
      announce(`The view ${named} was saved.`);
      onClose();
    }
  };
  return (
    <form aria-label="Save these filters" onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Save the filters of the list as"
          value={name}
          maxLength={MAX_NAME_CHARS}
          data-autofocus
          error={fault}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div className={classes.buttons}>
          <Button type="submit">Save view</Button>
        </div>
      </Stack>
    </form>
  );
}
