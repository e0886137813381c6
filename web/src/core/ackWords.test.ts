import { describe, expect, it } from 'vitest';
import {
  byUrgency,
  claimsInWords,
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
    const said = (ack_type: string, transaction_code: string) =>
      outcomeInWords({ ack_type, transaction_code });
    expect(said('997', 'R')).toBe('R, rejected');
    expect(said('997', '')).toBe('');
    expect(said('997', 'Q')).toBe('Q, a code that X12 does not define');
    expect(said('277CA', 'A1')).toBe('A1, received');
    expect(said('824', 'TR')).toBe('TR, rejected');
    expect(said('824', 'T?')).toBe('T?, a code that X12 does not define');
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

  it('counts the claims of a 277CA, and what is doubtful about them', () => {
    const counts = { accepted: 2, rejected: 1, unclear: 0, not_ours: 0, unanswered: 0, listed: 3 };
    expect(claimsInWords(counts)).toBe('2 claims accepted, 1 rejected.');
    const doubtful = { ...counts, accepted: 1, unclear: 2, not_ours: 1, unanswered: 4, listed: 2 };
    expect(claimsInWords(doubtful)).toBe(
      '1 claim accepted, 1 rejected, 2 without a clear result. 1 claim of it not in our document. ' +
        '4 claims of our document not answered. The first 2 are listed.',
    );
    expect(
      errorsInWords({
        ack_type: '277CA',
        transaction_code: 'A3',
        transaction_error_codes: ['684'],
      }),
    ).toEqual(['684, syntax error, see the 999']);
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
