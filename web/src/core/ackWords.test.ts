import { describe, expect, it } from 'vitest';
import {
  byUrgency,
  errorsInWords,
  outcomeInWords,
  outstandingByPartner,
  outstandingSummary,
  placeOfAckError,
} from './ackWords';

const outstanding = (partner: number, due: string | null, overdue = false) => ({
  partner_id: partner,
  partner_name: `partner ${partner}`,
  expected_by: due,
  overdue,
});

describe('what an answer says', () => {
  it('names the code and its meaning', () => {
    expect(outcomeInWords({ transaction_code: 'R' })).toBe('R, rejected');
    expect(outcomeInWords({ transaction_code: '' })).toBe('');
    expect(outcomeInWords({ transaction_code: 'Q' })).toBe('Q, a code that X12 does not define');
  });

  it('reads the error codes of a TA1 by their own table', () => {
    const codes = { transaction_code: 'R', transaction_error_codes: ['5', '99'] };
    expect(errorsInWords({ ...codes, ack_type: '997' })).toEqual([
      '5, Segments in error',
      '99, a code that X12 does not define',
    ]);
    const ta1 = { transaction_code: 'A', transaction_error_codes: ['000', '021'] };
    expect(errorsInWords({ ...ta1, ack_type: 'TA1' })).toEqual(['021, Group count is wrong']);
  });

  it('says where as the partner counts', () => {
    const place = { segment_id: 'PO1', segment_position: 8, element_position: 6 };
    expect(placeOfAckError({ ...place, component_position: 2 })).toBe(
      'PO1, segment 8, element 6, component 2',
    );
    expect(placeOfAckError({ ...place, element_position: null, component_position: null })).toBe(
      'PO1, segment 8',
    );
  });
});

describe('outstanding acknowledgements', () => {
  const rows = [
    outstanding(1, '2026-01-03T00:00:00'),
    outstanding(2, '2026-01-02T00:00:00', true),
    outstanding(1, '2026-01-01T00:00:00'),
    outstanding(1, null),
  ];

  it('is told by partner, those with overdue ones first, with the first that is due', () => {
    expect(outstandingByPartner(rows)).toEqual([
      { id: 2, name: 'partner 2', count: 1, overdue: 1, due: '2026-01-02T00:00:00' },
      { id: 1, name: 'partner 1', count: 3, overdue: 0, due: '2026-01-01T00:00:00' },
    ]);
  });

  it('is said in one sentence', () => {
    expect(outstandingSummary(outstandingByPartner(rows))).toBe(
      '4 acknowledgements of 2 partners are outstanding, 1 of them overdue.',
    );
    expect(outstandingSummary(outstandingByPartner([outstanding(1, null)]))).toBe(
      '1 acknowledgement of 1 partner is outstanding.',
    );
  });

  it('is listed with the overdue first and what has no date last', () => {
    const due = byUrgency(rows).map(({ expected_by }) => expected_by?.slice(8, 10) ?? null);
    expect(due).toEqual(['02', '01', '03', null]);
  });
});
