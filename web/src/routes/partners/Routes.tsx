import { ActionIcon, Button, Checkbox, NativeSelect, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ErrorDetail } from '../../api/error';
import { Icon } from '../../ui/Icon';
import { Panel } from '../../ui/Panel';
import { TextLink } from '../../ui/TextLink';
import { mapsQuery, type SavedMap } from '../maps/queries';
import classes from './partners.module.css';
import type { Partner } from './queries';
import { SectionForm } from './SectionForm';
import { type Part, useSection } from './useSection';

interface Route {
  /** Stays with the row while others go. */
  key: number;
  tx_set: string;
  direction: string;
  map_id: string;
  save_to_vault: boolean;
}

interface Routes {
  rows: Route[];
}

const ROUTES: Part<Routes> = {
  read: ({ routes }) => ({
    rows: routes.map(({ tx_set, direction, map_id, save_to_vault }, key) => ({
      ...{ key, tx_set, direction: direction ?? 'inbound' },
      ...{ map_id: String(map_id ?? ''), save_to_vault: save_to_vault ?? false },
    })),
  }),
  write: ({ rows }) => ({
    routes: rows.map(({ tx_set, direction, map_id, save_to_vault }) => ({
      ...{ tx_set: tx_set.trim().toUpperCase(), direction, save_to_vault },
      map_id: map_id === '' ? null : Number(map_id),
    })),
  }),
  check: ({ rows }) =>
    Object.fromEntries(
      rows.flatMap(({ tx_set }, place) =>
        tx_set.trim() === '' ? [[`${place}.tx_set`, 'For example 850.']] : [],
      ),
    ),
  facing: (details: readonly ErrorDetail[]) =>
    Object.fromEntries(
      details.flatMap(({ param = '', message }) => {
        const [, place, member = 'tx_set'] = /^routes\[([0-9]+)\](?:\.(\w+))?/.exec(param) ?? [];
        return place === undefined ? [] : [[`${place}.${member}`, message]];
      }),
    ),
  saved: 'The maps of the partner were saved.',
};

/** The maps that run on what is received from a partner. */
export function RoutesForm({ partner }: { partner: Partner }) {
  const section = useSection(partner, ROUTES);
  const maps = useQuery(mapsQuery);
  const { rows } = section.values;
  const change = (place: number, changed: Partial<Route>) =>
    section.change({
      rows: rows.map((row, at) => (at === place ? { ...row, ...changed } : row)),
    });
  const add = () => {
    const key = Math.max(-1, ...rows.map((row) => row.key)) + 1;
    const row = { key, tx_set: '', direction: 'inbound', map_id: '', save_to_vault: true };
    section.change({ rows: [...rows, row] });
  };
  return (
    <Panel title="Maps">
      <SectionForm label="Maps" section={section}>
        <Text>
          A map converts each received set with its code into another document. Sets without a map
          are validated, acknowledged and stored unchanged.
        </Text>
        {rows.map((row, place) => (
          <RouteRow
            key={row.key}
            row={row}
            maps={maps.data ?? []}
            fault={(member) => section.faults[`${place}.${member}`] ?? null}
            onChange={(changed) => change(place, changed)}
            onRemove={() => section.change({ rows: rows.filter((_, at) => at !== place) })}
          />
        ))}
        <div>
          <Button
            variant="default"
            size="compact-md"
            onClick={add}
            leftSection={<Icon name="plus" size={14} />}
          >
            Add a map
          </Button>
        </div>
      </SectionForm>
    </Panel>
  );
}

interface RowProps {
  row: Route;
  maps: readonly SavedMap[];
  fault: (member: string) => string | null;
  onChange: (changed: Partial<Route>) => void;
  onRemove: () => void;
}

function RouteRow({ row, maps, fault, onChange, onRemove }: RowProps) {
  const isKnown = row.map_id === '' || maps.some(({ id }) => String(id) === row.map_id);
  const gone = { value: row.map_id, label: `Map ${row.map_id}, which does not exist` };
  return (
    <fieldset className={classes.route} aria-label={`Map for ${row.tx_set || 'a set'}`}>
      <TextInput
        label="Set"
        value={row.tx_set}
        maxLength={3}
        error={fault('tx_set')}
        onChange={(event) => onChange({ tx_set: event.currentTarget.value })}
      />
      <NativeSelect
        label="Direction"
        value={row.direction}
        data={[
          { value: 'inbound', label: 'received' },
          { value: 'outbound', label: 'sent' },
        ]}
        error={fault('direction')}
        onChange={(event) => onChange({ direction: event.currentTarget.value })}
      />
      <NativeSelect
        label="Map"
        value={row.map_id}
        data={[
          { value: '', label: 'none: store only' },
          ...maps.map(({ id, name }) => ({ value: String(id), label: name })),
          ...(isKnown ? [] : [gone]),
        ]}
        error={fault('map_id')}
        onChange={(event) => onChange({ map_id: event.currentTarget.value })}
      />
      <Checkbox
        label="Store the output"
        checked={row.save_to_vault}
        onChange={(event) => onChange({ save_to_vault: event.currentTarget.checked })}
      />
      <div className={classes.connection}>
        {row.map_id !== '' && isKnown && (
          <TextLink to="/app/maps/$mapId" params={{ mapId: row.map_id }}>
            Open map
          </TextLink>
        )}
        <ActionIcon
          variant="default"
          size={28}
          aria-label={`Remove the map for ${row.tx_set || 'a set'}`}
          onClick={onRemove}
        >
          <Icon name="trash" size={16} />
        </ActionIcon>
      </div>
    </fieldset>
  );
}
