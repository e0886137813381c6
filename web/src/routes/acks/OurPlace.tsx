import { TextLink } from '../../ui/TextLink';

/** A place in the document of a transaction, as a link to it. */
export function OurPlace({ path, transactionId }: { path: string; transactionId: number | null }) {
  if (transactionId === null) return <code>{path}</code>;
  return (
    <TextLink
      to="/app/transactions/$transactionId"
      params={{ transactionId: String(transactionId) }}
      search={{ tab: 'raw', at: path }}
    >
      {path}
    </TextLink>
  );
}
