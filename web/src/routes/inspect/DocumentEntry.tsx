import { Button, FileButton, Group, Text, Textarea } from '@mantine/core';
import { type ClipboardEvent, type DragEvent, type ReactNode, useRef, useState } from 'react';
import { textRefusal } from '../../core/textFile';
import { Icon } from '../../ui/Icon';
import { announce } from '../../ui/LiveRegion';
import classes from './DocumentEntry.module.css';
import { readFile } from './readFile';

interface Props {
  /** What stands in the field at first. */
  text?: string;
  onDocument: (text: string, name: string) => void;
  /** More sources of a document, next to the button that chooses a file. */
  children?: ReactNode;
}

const texts = {
  hint: 'X12, JSON, XML or CSV. Paste it, drop a file here, or choose one.',
  field: 'Document',
};

/** Takes a document: pasted, typed, dropped or chosen. What was pasted into an empty field goes on at once. */
export function DocumentEntry({ text = '', onDocument, children }: Props) {
  const [typed, setTyped] = useState(text);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [over, setOver] = useState(false);
  const forgetFile = useRef<() => void>(null);
  const refuse = (reason: string) => {
    setRefusal(reason);
    announce(reason);
  };
  const take = (found: string, name = '') => {
    const reason = textRefusal(found);
    if (reason === null) onDocument(found, name);
    else refuse(reason);
  };
  const takeFile = async (file: File | null | undefined) => {
    if (!file) return;
    const found = await readFile(file);
    // So that the same file can be chosen again.
    forgetFile.current?.();
    if (found.kind === 'text') take(found.text, found.name);
    else refuse(found.reason);
  };
  const onPaste = (event: ClipboardEvent) => {
    const [file] = event.clipboardData.files;
    const pasted = event.clipboardData.getData('text/plain');
    if (pasted === '' && file === undefined) return;
    if (pasted !== '' && typed !== '') return;
    // A field with megabytes of text would make every key press slow.
    event.preventDefault();
    if (pasted !== '') take(pasted);
    else void takeFile(file);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file === undefined) take(event.dataTransfer.getData('text/plain'));
    else void takeFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way of several
    <div
      className={classes.entry}
      {...(over && { 'data-over': '' })}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <Textarea
        label={texts.field}
        description={texts.hint}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onPaste={onPaste}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) take(typed);
        }}
        error={refusal}
        rows={8}
        wrap="off"
        spellCheck={false}
        autoComplete="off"
        placeholder="ISA*00*          *00*          *ZZ*…"
        classNames={{ input: classes.input ?? '' }}
      />
      <Group gap="sm">
        <Button onClick={() => take(typed)} leftSection={<Icon name="search" size={16} />}>
          Inspect
        </Button>
        <FileButton onChange={(file) => void takeFile(file)} resetRef={forgetFile}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<Icon name="file" size={16} />}>
              Choose a file
            </Button>
          )}
        </FileButton>
        {children}
      </Group>
      {over && (
        <Text className={classes.drop} aria-hidden>
          Drop it here
        </Text>
      )}
    </div>
  );
}
