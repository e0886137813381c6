import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { sizeInWords } from '../core/textFile';
import { Icon } from './Icon';
import { announce } from './LiveRegion';
import { notifyFailed } from './notify';
import { saveFile } from './saveFile';

interface Props {
  filename: string;
  /** Asks for the rows: `() => data(api.GET('/api/acks/export', { params, parseAs: 'stream' }))`. */
  load: () => Promise<unknown>;
}

/**
 * Saves the rows that a list is narrowed to as a CSV file. A plain link could not say which
 * environment is shown, and would show a refusal, such as of too many rows, as a page.
 */
export function ExportLink({ filename, load }: Props) {
  const [bytes, setBytes] = useState(0);
  const save = useMutation({
    mutationFn: async () => saveFile(await fileOf(await load(), setBytes), filename),
    onMutate: () => setBytes(0),
    onSuccess: () => announce(`${filename} was saved.`),
    onError: (error) => notifyFailed('The rows could not be exported.', error),
  });
  const progress = bytes === 0 ? 'Exporting' : `Exporting, ${sizeInWords(bytes)}`;
  return (
    <Button
      variant="default"
      leftSection={<Icon name="download" size={16} />}
      aria-busy={save.isPending}
      // Not disabled: the focus would be lost, and with it the place in the page.
      onClick={() => {
        if (!save.isPending) save.mutate();
      }}
    >
      {save.isPending ? progress : 'Export CSV'}
    </Button>
  );
}

/** Reads an answer piece by piece, so that somebody who waits sees that it comes. */
async function fileOf(answer: unknown, onBytes: (sum: number) => void): Promise<Blob> {
  if (!(answer instanceof ReadableStream)) throw new TypeError('the rows came as something else');
  const pieces: BlobPart[] = [];
  const reader = answer.getReader();
  let sum = 0;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const value: unknown = piece.value;
    if (!(value instanceof Uint8Array)) throw new TypeError('the rows came as something else');
    pieces.push(new Uint8Array(value));
    sum += value.length;
    onBytes(sum);
  }
  return new Blob(pieces, { type: 'text/csv;charset=utf-8' });
}
