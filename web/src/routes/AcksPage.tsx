import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../ui/Page';
import { TabList } from '../ui/TabList';
import { AckFilterBar } from './acks/AckFilterBar';
import classes from './acks/Acks.module.css';
import { AnsweredTab } from './acks/AnsweredTab';
import { OutstandingTab } from './acks/OutstandingTab';
import type { AckFilters } from './acks/queries';
import { TABS } from './acks/search';

const route = getRouteApi('/app/acks');

/** Acknowledgements: outstanding, received and sent. */
export function AcksPage() {
  const { tab = 'pending', offset, ack, ...given } = route.useSearch();
  const navigate = route.useNavigate();
  const filters = filtersOf(tab, given);
  const choose = (chosen: string | null) => {
    const next = TABS.find((each) => each === chosen);
    // Only what every tab has; another tab is another list.
    const { partner_id, tx_set, date_from, date_to } = filters;
    void navigate({ search: { tab: next, partner_id, tx_set, date_from, date_to } });
  };
  const change = (changed: AckFilters) =>
    void navigate({
      search: (now) => ({ ...now, offset: undefined, ack: undefined, ...changed }),
      replace: true,
    });
  const turn = (chosen: number) =>
    void navigate({ search: (now) => ({ ...now, ack: undefined, offset: chosen || undefined }) });
  const open = (id: number | undefined) =>
    void navigate({ search: (now) => ({ ...now, ack: id }), replace: true, resetScroll: false });
  const clear = () => void navigate({ search: { tab } });
  return (
    <Page title="Acknowledgements" intro="Outstanding, received and sent acknowledgements.">
      <Tabs value={tab} onChange={choose} keepMounted={false}>
        <TabList>
          <Tabs.Tab value="pending">Outstanding</Tabs.Tab>
          <Tabs.Tab value="received">Received</Tabs.Tab>
          <Tabs.Tab value="sent">Sent</Tabs.Tab>
        </TabList>
        {TABS.map((each) => (
          <Tabs.Panel key={each} value={each} pt="md">
            <div className={classes.panel}>
              <AckFilterBar
                filters={filters}
                isOutstanding={each === 'pending'}
                onChange={change}
                onClear={clear}
              />
              {each === 'pending' ? (
                <OutstandingTab filters={filters} offset={offset} onOffset={turn} />
              ) : (
                <AnsweredTab
                  side={each}
                  filters={filters}
                  offset={offset}
                  opened={ack}
                  onOpen={open}
                  onOffset={turn}
                />
              )}
            </div>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}

/** The filters that a tab has: others in the address narrow nothing. */
function filtersOf(tab: (typeof TABS)[number], given: AckFilters): AckFilters {
  const { result, ack_type, error, open, overdue, ...common } = given;
  return tab === 'pending' ? { ...common, overdue } : { ...common, result, ack_type, error, open };
}
