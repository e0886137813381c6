import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useSession } from '../api/session';
import { TypedFilter } from '../ui/FilterFields';
import { Icon } from '../ui/Icon';
import { NoRows } from '../ui/NoRows';
import { Page } from '../ui/Page';
import { Pager } from '../ui/Pager';
import { Panel } from '../ui/Panel';
import { EmptyState, QueryState } from '../ui/States';
import { ImportMapDialog } from './maps/ImportMapDialog';
import classes from './maps/Maps.module.css';
import { MapsTable } from './maps/MapsTable';
import { NewMapDialog } from './maps/NewMapDialog';
import { MAPS_A_PAGE, mapsPageQuery } from './maps/queries';

const route = getRouteApi('/app/maps');

type Dialog = 'new' | 'import' | undefined;

/** The saved maps, the last saved first. */
export function MapsPage() {
  const { q, offset, dialog } = route.useSearch();
  const navigate = route.useNavigate();
  const { user } = useSession();
  const maps = useQuery(mapsPageQuery(q, offset));
  const mayChange = user.role !== 'viewer';
  const open = (chosen: Dialog) =>
    void navigate({ search: (now) => ({ ...now, dialog: chosen }), replace: chosen === undefined });
  const search = (text: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, q: text, offset: undefined }), replace: true });
  const turn = (chosen: number) =>
    void navigate({ search: (now) => ({ ...now, offset: chosen || undefined }) });
  return (
    <Page
      title="Maps"
      intro="Rules that convert one document into another, last saved first."
      {...(mayChange && { actions: <Actions onOpen={open} /> })}
    >
      {!mayChange && (
        <p className={classes.role}>
          Your role is viewer: you can view maps. Only editors and owners can change them.
        </p>
      )}
      <search className={classes.search}>
        <TypedFilter label="Name" value={q} onChange={search} maxLength={200} search />
      </search>
      <Panel flush>
        <QueryState query={maps} what="The maps could not be loaded.">
          {(found) =>
            found.maps.length === 0 ? (
              <NoRows offset={found.offset} total={found.total} onBeginning={() => turn(0)}>
                <NoMaps
                  isFiltered={q !== undefined}
                  mayChange={mayChange}
                  onNew={() => open('new')}
                  onClear={() => void navigate({ search: {} })}
                />
              </NoRows>
            ) : (
              <>
                <MapsTable maps={found.maps} mayChange={mayChange} />
                <Pager
                  offset={found.offset}
                  limit={found.limit ?? MAPS_A_PAGE}
                  page={found}
                  onOffset={turn}
                />
              </>
            )
          }
        </QueryState>
      </Panel>
      <NewMapDialog opened={mayChange && dialog === 'new'} onClose={() => open(undefined)} />
      <ImportMapDialog opened={mayChange && dialog === 'import'} onClose={() => open(undefined)} />
    </Page>
  );
}

function Actions({ onOpen }: { onOpen: (dialog: Dialog) => void }) {
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="upload" size={16} />}
        onClick={() => onOpen('import')}
      >
        Import
      </Button>
      <Button leftSection={<Icon name="plus" size={16} />} onClick={() => onOpen('new')}>
        New map
      </Button>
    </>
  );
}

interface NoMapsProps {
  isFiltered: boolean;
  mayChange: boolean;
  onNew: () => void;
  onClear: () => void;
}

function NoMaps({ isFiltered, mayChange, onNew, onClear }: NoMapsProps) {
  if (isFiltered) {
    const clear = (
      <Button variant="default" onClick={onClear}>
        Show all maps
      </Button>
    );
    return <EmptyState action={clear}>No map has this name.</EmptyState>;
  }
  const make = mayChange ? <Button onClick={onNew}>Create the first map</Button> : null;
  return <EmptyState action={make}>There are no maps yet.</EmptyState>;
}
