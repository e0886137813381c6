import { Button, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { addedBranch } from '../core/source';
import type { MapperState } from './useMapper';

interface Props {
  mapper: MapperState;
  /** The row of the segment. */
  group: string;
  onDone: () => void;
}

/** A row for a code that other documents have, such as another party. */
export function AddCode({ mapper, group, onDone }: Props) {
  const [code, setCode] = useState('');
  const [fault, setFault] = useState('');
  const node = mapper.trees.sourceById.get(group);
  const add = (event: FormEvent) => {
    event.preventDefault();
    const wanted = code.trim();
    const branch = node === undefined ? null : addedBranch(node, wanted);
    if (branch === null) {
      setFault('This segment cannot be distinguished by one code.');
    } else if (mapper.trees.sourceById.has(branch.id)) {
      setFault('There is already a row for this code.');
    } else {
      mapper.addBranch({ group, code: wanted });
      onDone();
    }
  };
  return (
    <form onSubmit={add} aria-label="Add code">
      <Stack gap="md">
        <TextInput
          label="Code"
          description={`Of ${node?.code ?? ''} ${node?.name ?? ''}`}
          data-autofocus
          maxLength={30}
          value={code}
          error={fault}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" disabled={code.trim() === ''}>
          Add
        </Button>
      </Stack>
    </form>
  );
}
