import { describe, expect, it } from 'vitest';
import { allPages, LARGEST_PAGE } from './allPages';

const listOf = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('allPages', () => {
  it.each([0, 1, LARGEST_PAGE - 1, LARGEST_PAGE, LARGEST_PAGE + 1, 2 * LARGEST_PAGE + 7])(
    'collects %i rows, each once and in order',
    async (count) => {
      const asked: number[] = [];
      const rows = await allPages(async (offset, limit) => {
        asked.push(offset);
        return listOf(count).slice(offset, offset + limit);
      });
      expect(rows).toEqual(listOf(count));
      expect(asked).toEqual(
        listOf(Math.floor(count / LARGEST_PAGE) + 1).map((each) => each * LARGEST_PAGE),
      );
    },
  );
});
