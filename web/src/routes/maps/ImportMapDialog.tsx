import { Button, FileButton, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { mapOfFile } from '../../core/mapFile';
import { FaultList } from '../../ui/FaultList';
import { Icon } from '../../ui/Icon';
import { ErrorState } from '../../ui/States';
import { readFile } from '../inspect/readFile';
import { addMapText } from './changes';
import classes from './Maps.module.css';

interface Props {
  opened: boolean;
  onClose: () => void;
}

/** Saves a map from an exported file; a file with faults is not stored, and each is shown. */
export function ImportMapDialog({ opened, onClose }: Props) {
  return (
    // Always there, so that the focus goes back to what opened it.
    <Modal opened={opened} onClose={onClose} title="Import a map" size="lg">
      <ImportMap onCancel={onClose} />
    </Modal>
  );
}

function ImportMap({ onCancel }: { onCancel: () => void }) {
  const [text, setText] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const add = useMutation({
    mutationFn: addMapText,
    onSuccess: async (id) => {
      await queries.invalidateQueries({ queryKey: ['maps'] });
      await navigate({ to: '/app/maps/$mapId', params: { mapId: String(id) } });
    },
  });
  const change = (found: string) => {
    setText(found);
    setRefusal(null);
    add.reset();
  };
  const choose = async (file: File | null) => {
    if (file === null) return;
    const found = await readFile(file);
    if (found.kind === 'text') change(found.text);
    else setRefusal(found.reason);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const map = mapOfFile(text);
    if (map.kind === 'map') add.mutate(map.text);
    else setRefusal(map.reason);
  };
  return (
    <form onSubmit={submit} aria-label="Import a map">
      <Stack gap="md">
        <Text c="dimmed">An exported map. It is saved as a new map; nothing is replaced.</Text>
        <FileButton accept="application/json,.json" onChange={(file) => void choose(file)}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              className={classes.fileButton ?? ''}
              leftSection={<Icon name="file" size={16} />}
            >
              Choose a file
            </Button>
          )}
        </FileButton>
        <Textarea
          label="Map as JSON"
          rows={10}
          wrap="off"
          spellCheck={false}
          value={text}
          error={refusal}
          classNames={{ input: classes.code ?? '' }}
          onChange={(event) => change(event.currentTarget.value)}
        />
        {add.isError && (
          <>
            <ErrorState error={add.error} what="The map could not be imported." />
            <FaultList error={add.error} />
          </>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={add.isPending}>
            Import
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
