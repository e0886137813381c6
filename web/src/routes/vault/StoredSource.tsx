import { useQuery } from '@tanstack/react-query';
import { QueryState } from '../../ui/States';
import { type StoredDetail, storedQuery } from './queries';
import { StoredText } from './StoredText';
import classes from './Vault.module.css';

/** The source of a document, next to it. */
export function StoredSource({ stored, sourceId }: { stored: StoredDetail; sourceId: number }) {
  const source = useQuery(storedQuery(String(sourceId)));
  return (
    <QueryState query={source} what="The source document could not be loaded.">
      {(found) => (
        <div className={classes.sides}>
          <StoredText title={`Source: ${found.filename}`} stored={found} />
          <StoredText title={`This document: ${stored.filename}`} stored={stored} />
        </div>
      )}
    </QueryState>
  );
}
