import { expect, test } from 'vitest';
import {
  bareSets,
  type ExchangeRecord,
  exchangeWords,
  isInProgress,
  type PartnerState,
  setupSteps,
  testSamples,
} from './partnerSetup';
import { connectionMeans, lacksForLive, MOVES, PARTNER_STATUSES, typedSets } from './partners';

const NEW: PartnerState = {
  ...{ partner_status: 'testing', edi_identity: '', ack_type: 'auto', testConnection: 'none' },
  ...{ testStatus: null, isTriedAgain: null, mapCount: 0, latest: null, wasAccepted: false },
};

function record(delivery_status: string, ack_status: string): ExchangeRecord {
  return { tx_set: '850', delivery_status, ack_status, last_error: null };
}

function states(standing: PartnerState): string {
  return setupSteps(standing)
    .map(({ state }) => state)
    .join(' ');
}

test('a new partner has everything before it, but for maps', () => {
  expect(states(NEW)).toBe('open open optional open open open');
});

test('each step is done by what it is about', () => {
  const reached: PartnerState = { ...NEW, edi_identity: 'ZZ/NW', testConnection: 'simulator' };
  expect(states({ ...reached, mapCount: 1 })).toBe('done done done open open open');
  const sent = { ...reached, latest: record('delivered', 'pending') };
  expect(states(sent)).toBe('done done optional done open open');
  const answered = { ...sent, wasAccepted: true };
  expect(states({ ...answered, partner_status: 'error' })).toBe(
    'done done optional done done done',
  );
  expect(states({ ...sent, ack_type: 'none' })).toBe('done done optional done done open');
});

test('a connection that fails is no step that is done', () => {
  const entered: PartnerState = { ...NEW, testConnection: 'http', testStatus: 'failing' };
  const steps = [entered, { ...entered, testStatus: 'connected' } as const].map(
    (each) => setupSteps(each)[1],
  );
  expect(steps.map((step) => step?.state)).toEqual(['open', 'done']);
  expect(steps[0]?.text).toBe('The last delivery failed.');
});

test('a delivery is said to be tried again only where an attempt comes', () => {
  expect([true, false, null].map((each) => connectionMeans('failing', each))).toEqual([
    'The last delivery failed. It will be retried.',
    'The last delivery failed. There are no more automatic attempts: open the document and retry it.',
    'The last delivery failed.',
  ]);
  expect(connectionMeans('connected', true)).toBe('The last delivery succeeded.');
});

test('an exchange is followed until nothing can happen by itself', () => {
  const moving = [record('pending', 'pending'), record('sent', 'pending')];
  const unanswered = [record('delivered', 'pending'), record('delivered', 'overdue')];
  expect([...moving, ...unanswered].map(isInProgress)).toEqual([true, true, true, true]);
  const ended = [record('delivered', 'rejected'), record('held', 'not_expected')];
  const failed = [record('failed', 'pending'), record('delivered', 'not_expected')];
  expect([...ended, ...failed].map(isInProgress)).toEqual([false, false, false, false]);
});

test('an exchange in words says the acknowledgement first', () => {
  const tones = [
    ...[record('delivered', 'rejected'), record('delivered', 'partially_accepted')],
    ...[record('delivered', 'accepted'), record('failed', 'pending'), record('held', 'pending')],
    ...[record('cancelled', 'not_expected'), record('sending', 'pending')],
    ...[record('delivered', 'overdue'), record('delivered', 'pending')],
    record('delivered', 'not_expected'),
  ].map((each) => exchangeWords(each).tone);
  expect(tones.join(' ')).toBe('err err ok err err err plain err plain ok');
  const last_error = { message: 'Refused.' };
  expect(exchangeWords({ ...record('pending', 'pending'), last_error })).toEqual({
    ...{ tone: 'err', text: 'The last attempt failed; it will be retried. Refused.' },
  });
  expect(exchangeWords({ ...record('failed', 'pending'), last_error }).text).toBe(
    'It could not be delivered. Refused.',
  );
});

test('samples of the agreed sets are offered, orders first, acknowledgements never', () => {
  const samples = ['997', '855', '850', '810'].map((tx_set) => ({
    ...{ tx_set, name: tx_set, title: tx_set, format: 'x12', document: '' },
  }));
  const offered = (agreed: string[]) => testSamples(samples, agreed).map(({ tx_set }) => tx_set);
  expect(offered([])).toEqual(['850', '855', '810']);
  expect(offered(['810', '997', '850'])).toEqual(['850', '810']);
  expect(offered(['940'])).toEqual(['850', '855', '810']);
});

test('the sets of a document are taken out of its envelope', () => {
  const isa =
    'ISA*00*          *00*          *ZZ*A              *ZZ*B              *260302*0915*U*00401*000000001*0*T*>~';
  const document = `${isa}\nGS*PO~\nST*850*1~\nBEG*00~\nSE*3*1~\nGE*1*1~\nIEA*1*1~\n`;
  expect(bareSets(document)).toBe('ST*850*1~\nBEG*00~\nSE*3*1~\n');
  expect(bareSets('Dear Sir')).toBeNull();
});

test('every status leads on, and what live documents lack is told', () => {
  expect(PARTNER_STATUSES.map((each) => MOVES[each].map(({ to }) => to).join())).toEqual([
    'testing',
    'active,inactive',
    'testing,inactive',
    '',
    'active,inactive',
  ]);
  expect(lacksForLive('none', false)).toHaveLength(2);
  expect(lacksForLive('http', true)).toEqual([]);
});

test('sets are read as people write them', () => {
  expect(typedSets(' 850, 855;997 850\nabc ')).toEqual(['850', '855', '997', 'ABC']);
});
