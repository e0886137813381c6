import { useQuery } from '@tanstack/react-query';
import { useSession } from '../api/session';
import { Page } from '../ui/Page';
import { keysQuery } from './keys/api';
import { mapsQuery } from './maps/queries';
import { Figures } from './overview/Figures';
import { FirstDocument } from './overview/FirstDocument';
import { LatestDocuments, LatestMaps } from './overview/Latest';
import classes from './overview/Overview.module.css';
import { QuickStart } from './overview/QuickStart';
import { LoadSamples } from './vault/LoadSamples';

/** Where to begin, and what there is. */
export function OverviewPage() {
  const { user } = useSession();
  const maps = useQuery(mapsQuery);
  const keys = useQuery(keysQuery(undefined));
  // A conversion that stores nothing leaves no trace but the use of its key.
  const wasUsed =
    maps.data?.some(({ last_run_at }) => last_run_at !== null) === true ||
    keys.data?.some(({ last_used_at }) => last_used_at !== null) === true;
  const isStarting = maps.isSuccess && keys.isSuccess && !wasUsed;
  return (
    <Page title="Overview">
      <div className={`${classes.top} ${isStarting ? '' : classes.whole}`}>
        <FirstDocument />
        {isStarting && <QuickStart hasMap={maps.data.length > 0} hasKey={keys.data.length > 0} />}
      </div>
      <Figures />
      <div className={classes.columns}>
        <LatestMaps />
        <LatestDocuments empty={user.role === 'viewer' ? null : <LoadSamples />} />
      </div>
    </Page>
  );
}
