import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useSession } from '../api/session';
import { PARTNER_STATUSES, STATUS_MEANING } from '../core/partners';
import { FilterBar, WIDTHS } from '../ui/FilterBar';
import { ChosenFilter, TypedFilter } from '../ui/FilterFields';
import { Icon } from '../ui/Icon';
import { NoRows } from '../ui/NoRows';
import { Page } from '../ui/Page';
import { Pager } from '../ui/Pager';
import { Panel } from '../ui/Panel';
import { EmptyState, QueryState } from '../ui/States';
import { ImportPartner } from './partners/ImportPartner';
import { NewPartnerDialog } from './partners/NewPartnerDialog';
import { PartnerTable } from './partners/PartnerTable';
import { type PartnerFilters, partnersQuery } from './partners/queries';

const route = getRouteApi('/app/partners');

/** Whom documents are exchanged with. */
export function PartnersPage() {
  const { new: isNew = false, offset: start, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const { user } = useSession();
  const partners = useQuery(partnersQuery({ ...filters, offset: start }));
  const show = (search: PartnerFilters & { new?: true }) =>
    void navigate({ search, replace: true, resetScroll: false });
  const turn = (offset: number) =>
    void navigate({ search: { ...filters, offset: offset || undefined } });
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const mayChange = user.role !== 'viewer';
  const newPartner = (
    <Button
      leftSection={<Icon name="plus" size={16} />}
      onClick={() => show({ ...filters, offset: start, new: true })}
    >
      New partner
    </Button>
  );
  return (
    <Page
      title="Partners"
      intro="The companies you exchange documents with. Connections are shown for the selected environment."
      {...(mayChange && {
        actions: (
          <>
            <ImportPartner />
            {newPartner}
          </>
        ),
      })}
    >
      <FilterBar filters={filters} onClear={() => show({})}>
        <TypedFilter
          label="Name begins with"
          value={filters.q}
          onChange={(q) => show({ ...filters, q })}
          className={WIDTHS.wide}
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
              partner_status: PARTNER_STATUSES.find((each) => each === value),
            })
          }
        />
      </FilterBar>
      <Panel flush>
        <QueryState query={partners} what="The partners could not be loaded.">
          {({ partners: found, offset, limit, ...page }) =>
            found.length === 0 ? (
              <NoRows offset={offset} total={page.total} onBeginning={() => turn(0)}>
                <NoPartners onClear={isFiltered ? () => show({}) : null} />
              </NoRows>
            ) : (
              <>
                <PartnerTable partners={found} />
                <Pager offset={offset} limit={limit ?? page.total} page={page} onOffset={turn} />
              </>
            )
          }
        </QueryState>
      </Panel>
      {mayChange && (
        <NewPartnerDialog opened={isNew} onClose={() => show({ ...filters, offset: start })} />
      )}
    </Page>
  );
}

/** Without filters there is none only if somebody has removed the simulator as well. */
function NoPartners({ onClear }: { onClear: (() => void) | null }) {
  if (onClear === null) {
    return (
      <EmptyState>
        There are no partners yet. Create the first one with its name; you can add the rest later.
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
      No partner matches.
    </EmptyState>
  );
}
