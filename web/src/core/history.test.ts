import { describe, expect, it } from 'vitest';
import { History } from './history';

describe('History', () => {
  const three = History.of(0).push(1, 'one').push(2, 'two');

  it('goes back and forth, with the label of each change', () => {
    expect([three.present, three.undoLabel, three.labels]).toEqual([2, 'two', ['two', 'one']]);
    const back = three.undo();
    expect([back.present, back.undoLabel, back.redoLabel]).toEqual([1, 'one', 'two']);
    expect(back.redo().present).toBe(2);
    expect(three.present).toBe(2);
  });

  it('stops at both ends', () => {
    expect(three.redo()).toBe(three);
    const first = three.undo().undo();
    expect(first.undo()).toBe(first);
    expect([first.canUndo, first.canRedo]).toEqual([false, true]);
  });

  it('forgets what was undone when it goes another way', () => {
    const other = three.undo().push(9, 'nine');
    expect([other.present, other.canRedo]).toEqual([9, false]);
  });

  it('takes the same state as no change, and replaces without a step', () => {
    expect(three.push(2, 'again')).toBe(three);
    expect(three.replace(5).undo().present).toBe(1);
  });
});
