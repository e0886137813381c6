import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useSession } from '../api/session';
import { PARTNER_STATUSES, STATUS_MEANING } from '../core/partners';
import { ChosenFilter, TypedFilter } from '../ui/FilterFields';
import { Icon } from '../ui/Icon';
import { Page } from '../ui/Page';
import { Pager } from '../ui/Pager';
import { Panel } from '../ui/Panel';
import { EmptyState, QueryState } from '../ui/States';
import { ImportPartner } from './partners/ImportPartner';
import { NewPartnerDialog } from './partners/NewPartnerDialog';
import { PartnerTable } from './partners/PartnerTable';
import classes from './partners/partners.module.css';
import { type PartnerFilters, partnersQuery } from './partners/queries';

const route = getRouteApi('/app/partners');

/** Whom documents are exchanged with. */
export function PartnersPage() {
  const { new: isNew = false, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const { user } = useSession();
  const partners = useQuery(partnersQuery(filters));
  const show = (search: PartnerFilters & { new?: true }) =>
    void navigate({ search, replace: true, resetScroll: false });
  const turn = (offset: number) =>
    void navigate({ search: { ...filters, offset: offset || undefined } });
  const isFiltered = filters.q !== undefined || filters.partner_status !== undefined;
  const mayChange = user.role !== 'viewer';
  const newPartner = (
    <Button
      leftSection={<Icon name="plus" size={16} />}
      onClick={() => show({ ...filters, new: true })}
    >
      New partner
    </Button>
  );
  return (
    <Page
      title="Partners"
      intro="Whom you exchange documents with. Connections are those of the environment shown."
      {...(mayChange && {
        actions: (
          <>
            <ImportPartner />
            {newPartner}
          </>
        ),
      })}
    >
      <search className={classes.filters}>
        <TypedFilter
          label="Name begins with"
          value={filters.q}
          onChange={(q) => show({ ...filters, offset: undefined, q })}
          className={classes.wide}
          maxLength={100}
          search
        />
        <ChosenFilter
          label="Status"
          value={filters.partner_status}
          among={PARTNER_STATUSES.map((value) => ({ value, label: STATUS_MEANING[value].word }))}
          onChange={(value) =>
            show({
              ...filters,
              offset: undefined,
              partner_status: PARTNER_STATUSES.find((each) => each === value),
            })
          }
        />
        {isFiltered && <ClearFilters onClear={() => show({})} />}
      </search>
      <Panel flush>
        <QueryState query={partners} what="The partners could not be loaded.">
          {({ partners: found, offset, limit, total }) =>
            found.length === 0 ? (
              <NoPartners onClear={isFiltered || total > 0 ? () => show({}) : null} />
            ) : (
              <>
                <PartnerTable partners={found} />
                <Pager offset={offset} limit={limit ?? total} total={total} onOffset={turn} />
              </>
            )
          }
        </QueryState>
      </Panel>
      {mayChange && <NewPartnerDialog opened={isNew} onClose={() => show(filters)} />}
    </Page>
  );
}

function ClearFilters({ onClear }: { onClear: () => void }) {
  return (
    <Button variant="default" onClick={onClear} leftSection={<Icon name="close" size={14} />}>
      Clear filters
    </Button>
  );
}

/** Without filters there is none only if somebody has removed the simulator as well. */
function NoPartners({ onClear }: { onClear: (() => void) | null }) {
  if (onClear === null) {
    return (
      <EmptyState>
        There is no partner. Add the first one with its name; the rest can follow.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      action={
        <Button variant="default" onClick={onClear}>
          Show all partners
        </Button>
      }
    >
      No partner fits.
    </EmptyState>
  );
}
