import { expect, test } from 'vitest';
import { lineMarks } from './editorMarks';

const TEXT = 'ST*850~\nPO1*1**XX~\nSE*3~';
const mark = (value: string, isOpen = true) => {
  const start = TEXT.indexOf(value);
  return { start, end: start + value.length, isOpen };
};

test('marks stand in their lines, in the order of the text, and end with the line', () => {
  expect(lineMarks(TEXT, [mark('SE*3', false), mark('XX'), mark('850~\nPO1')])).toEqual([
    { line: 0, lead: 'ST*', value: '850~', isOpen: true },
    { line: 1, lead: 'PO1*1**', value: 'XX', isOpen: true },
    { line: 2, lead: '', value: 'SE*3', isOpen: false },
  ]);
});

test('an empty place is marked as well, one behind the text is not', () => {
  const at = TEXT.indexOf('*XX');
  const behind = { start: 999, end: 999, isOpen: true };
  expect(lineMarks(TEXT, [{ start: at, end: at, isOpen: true }, behind])).toEqual([
    { line: 1, lead: 'PO1*1*', value: '', isOpen: true },
  ]);
});

test('far to the right the line alone is marked', () => {
  const long = `${'x'.repeat(2000)}XX`;
  expect(lineMarks(long, [{ start: 2000, end: 2002, isOpen: true }])).toEqual([
    { line: 0, lead: '', value: '', isOpen: true },
  ]);
});
