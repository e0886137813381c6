import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatName } from '../../core/inspection';
import { Panel } from '../../ui/Panel';
import { EmptyState, QueryState } from '../../ui/States';
import { LinkButton, TextLink } from '../../ui/TextLink';
import { Time } from '../../ui/Time';
import { VisibleText } from '../../ui/VisibleText';
import { mapsQuery } from '../maps/queries';
import { vaultQuery } from '../vault/queries';
import classes from './Overview.module.css';

export const LATEST = 5;

/** The maps that were saved last. */
export function LatestMaps() {
  const maps = useQuery(mapsQuery);
  return (
    <Panel title="Latest maps" flush>
      <QueryState query={maps} what="The maps could not be loaded.">
        {(found) =>
          found.length === 0 ? (
            <EmptyState
              action={
                <LinkButton to="/app/maps/$mapId" params={{ mapId: 'new' }} variant="default">
                  Draw a map
                </LinkButton>
              }
            >
              There are no maps yet.
            </EmptyState>
          ) : (
            <ul className={classes.list}>
              {found.slice(0, LATEST).map((map) => (
                <Entry key={map.id} time={map.updated_at_iso} about={`v${map.version}`}>
                  <TextLink to="/app/maps/$mapId" params={{ mapId: String(map.id) }}>
                    <VisibleText text={map.name} />
                  </TextLink>
                </Entry>
              ))}
            </ul>
          )
        }
      </QueryState>
    </Panel>
  );
}

/** The documents that were stored last. */
export function LatestDocuments({ empty }: { empty: ReactNode }) {
  const documents = useQuery(vaultQuery({}, LATEST));
  return (
    <Panel title="Latest stored documents" flush>
      <QueryState query={documents} what="The stored documents could not be loaded.">
        {({ docs }) =>
          docs.length === 0 ? (
            <EmptyState action={empty}>Nothing is stored yet.</EmptyState>
          ) : (
            <ul className={classes.list}>
              {docs.map((stored) => (
                <Entry
                  key={stored.id}
                  time={stored.created_at}
                  about={`${formatName(stored.fmt)} ${stored.transaction_set}`.trim()}
                >
                  <TextLink to="/app/vault/$docId" params={{ docId: String(stored.id) }}>
                    <VisibleText text={stored.filename} />
                  </TextLink>
                </Entry>
              ))}
            </ul>
          )
        }
      </QueryState>
    </Panel>
  );
}

interface EntryProps {
  time: string;
  about: string;
  children: ReactNode;
}

function Entry({ time, about, children }: EntryProps) {
  return (
    <li className={classes.entry}>
      <span className={classes.entryName}>{children}</span>
      <span className={classes.entryAbout}>{about}</span>
      <span className={classes.entryAbout}>
        <Time value={time} />
      </span>
    </li>
  );
}
