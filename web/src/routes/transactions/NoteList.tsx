import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from './Detail.module.css';
import { type Note, NoteWords } from './NoteWords';

const AT_ONCE = 100;

interface Props {
  notes: readonly Note[];
  /** What stands under a note, such as the way to its place. */
  after?: (note: Note, index: number) => ReactNode;
}

/** Notes in words, the first hundred at once. */
export function NoteList({ notes, after = () => null }: Props) {
  const [most, setMost] = useState(AT_ONCE);
  return (
    <>
      <ol className={classes.said}>
        {notes.slice(0, most).map((note, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the notes have no other name
          <li key={index}>
            <NoteWords note={note} />
            {after(note, index)}
          </li>
        ))}
      </ol>
      {notes.length > most && (
        <Button variant="default" mt="md" onClick={() => setMost(most + AT_ONCE)}>
          Show {Math.min(AT_ONCE, notes.length - most)} more of {notes.length}
        </Button>
      )}
    </>
  );
}
