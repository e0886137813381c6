import { sizeInWords } from '../../core/textFile';
import { CopyButton } from '../../ui/CopyButton';
import { Fact, Facts } from '../../ui/Facts';
import { Time } from '../../ui/Time';
import { VisibleText } from '../../ui/VisibleText';
import { DirectionLabel } from '../transactions/TransactionTable';
import type { Interchange } from './queries';
import { InterchangeBadge, InterchangePartner, partyOf } from './words';

const SOURCES: Readonly<Record<Interchange['source'], string>> = {
  api: 'the API',
  browser: 'this application',
  cli: 'the command line',
  receive: 'the inbound address',
  as2: 'AS2',
  sftp: 'SFTP',
  ftps: 'FTPS',
  replay: 'a replay',
};

/** What is known of an interchange besides its content. */
export function InterchangeFacts({ of }: { of: Interchange }) {
  return (
    <Facts>
      <Fact name="Status">
        <InterchangeBadge status={of.status} />
      </Fact>
      <Fact name="Direction">
        <DirectionLabel direction={of.direction} />
      </Fact>
      <Fact name="Partner">
        <InterchangePartner id={of.partner_id} />
      </Fact>
      <Fact name="From">
        <VisibleText text={partyOf(of.sender_qualifier, of.sender_id)} />
      </Fact>
      <Fact name="To">
        <VisibleText text={partyOf(of.receiver_qualifier, of.receiver_id)} />
      </Fact>
      <Fact name="Control number (ISA13)">
        {of.isa_control_number === '' ? '–' : <VisibleText text={of.isa_control_number} />}
      </Fact>
      <Fact name="Environment">{of.is_test ? 'sandbox' : 'production'}</Fact>
      <Fact name="Received through">{SOURCES[of.source]}</Fact>
      {of.receipt_id !== null && <Fact name="Receipt">{of.receipt_id}</Fact>}
      <Fact name="Stored">
        <Time value={of.created_at} />
      </Fact>
      <Fact name="Size">{sizeInWords(of.file_size)}</Fact>
      <Fact name="SHA-256">
        <code>{of.sha256}</code> <CopyButton text={of.sha256} what="hash" />
      </Fact>
    </Facts>
  );
}
