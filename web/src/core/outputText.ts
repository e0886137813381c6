/**
 * Where the values of an output stand in its text, by the paths that explanations have for them:
 * `lines[1].qty`, `Order.Line[2].@unit`, `row[2]/qty`, `PO1[2].02`. One pass over the text.
 */

import type { Format } from './model';
import { scanJson } from './outputJson';
import { scanX12 } from './outputX12';
import { scanXml } from './outputXml';
import { escapeName } from './paths';
import { type Span, Spans } from './spans';

/** The places of all values in an output; of a text that is not of the format those found. */
export function outputSpans(format: Format, text: string): Spans {
  const spans = new Spans();
  SCANNERS[format](text, spans);
  return spans;
}

const SCANNERS: Readonly<Record<Format, (text: string, spans: Spans) => void>> = {
  json: scanJson,
  xml: scanXml,
  csv: scanCsv,
  x12: scanX12,
};

const CSV_CELL = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/y;

function scanCsv(text: string, spans: Spans): void {
  let names: string[] | null = null;
  let cells: string[] = [];
  let row = 0;
  for (CSV_CELL.lastIndex = 0; CSV_CELL.lastIndex < text.length; ) {
    const start = CSV_CELL.lastIndex;
    const [, cell = '', end] = CSV_CELL.exec(text) ?? [];
    if (end === undefined) {
      return; // a quote that is not closed
    }
    addCell(spans, names?.[cells.length], row, [start, start + cell.length]);
    cells.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end !== ',') {
      names ??= cells.map(escapeName);
      cells = [];
      row += 1;
    }
  }
}

function addCell(spans: Spans, name: string | undefined, row: number, [start, end]: Span): void {
  if (name !== undefined && end > start) {
    spans.add(row === 1 ? name : `row[${row}]/${name}`, start, end);
  }
}
