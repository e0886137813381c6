import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useSession } from '../api/session';
import { Icon } from '../ui/Icon';
import { Page } from '../ui/Page';
import { Loading } from '../ui/States';
import { LinkButton } from '../ui/TextLink';
import { keysQuery } from './keys/api';
import { mapsQuery } from './maps/queries';
import { LatestDocuments, LatestMaps } from './overview/Latest';
import classes from './overview/Overview.module.css';
import { DEFAULT_PERIOD } from './overview/periods';
import { Start } from './overview/Start';
import { PeriodChoice, Trade } from './overview/Trade';
import { useTrade } from './overview/useTrade';
import { LoadSamples } from './vault/LoadSamples';

const route = getRouteApi('/app/');

/** What happened and what needs somebody; where to begin, as long as there was no trade. */
export function OverviewPage() {
  const { period = DEFAULT_PERIOD } = route.useSearch();
  const navigate = route.useNavigate();
  const { user } = useSession();
  const { stats, isTrading } = useTrade(period);
  const maps = useQuery(mapsQuery);
  const keys = useQuery(keysQuery(undefined));
  // A conversion that stores nothing leaves no trace but the use of its key.
  const wasUsed =
    isTrading === true ||
    maps.data?.some(({ last_run_at }) => last_run_at !== null) === true ||
    keys.data?.some(({ last_used_at }) => last_used_at !== null) === true;
  return (
    <Page
      title="Overview"
      actions={
        <>
          {isTrading === true && (
            <PeriodChoice
              length={period}
              onLength={(length) => void navigate({ search: { period: length } })}
            />
          )}
          {wasUsed && <NextDocument />}
        </>
      }
    >
      {isTrading === undefined && <Loading />}
      {isTrading === true && <Trade stats={stats} length={period} />}
      {isTrading === false && <Start wasUsed={wasUsed} />}
      <div className={classes.columns}>
        <LatestMaps />
        <LatestDocuments empty={user.role === 'viewer' ? null : <LoadSamples />} />
      </div>
    </Page>
  );
}

/** The way in of whom it is not the first document. */
function NextDocument() {
  return (
    <LinkButton to="/app/inspect" variant="default" leftSection={<Icon name="search" size={16} />}>
      Inspect a document
    </LinkButton>
  );
}
