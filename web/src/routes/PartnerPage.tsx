import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useSession } from '../api/session';
import { visibleText } from '../core/visible';
import { Page } from '../ui/Page';
import { isMissing, RecordState } from '../ui/RecordState';
import { TabList } from '../ui/TabList';
import { TextLink } from '../ui/TextLink';
import { ConnectionTab } from './partners/ConnectionTab';
import { ControlNumbers } from './partners/ControlNumbers';
import { IdentityForm } from './partners/IdentityForm';
import { PartnerActions } from './partners/PartnerActions';
import { PartnerHead } from './partners/PartnerHead';
import { type Partner, partnerQuery } from './partners/queries';
import { RoutesForm } from './partners/Routes';
import { SettingsForm } from './partners/SettingsForm';
import { Setup } from './partners/Setup';
import { PARTNER_TABS } from './partners/search';

const route = getRouteApi('/app/partners/$partnerId');

type Tab = (typeof PARTNER_TABS)[number];

const VIEWS: Record<Tab, { name: string; view: (partner: Partner) => ReactNode }> = {
  setup: { name: 'Set-up', view: (partner) => <Setup partner={partner} /> },
  identity: { name: 'Identity', view: (partner) => <IdentityForm partner={partner} /> },
  connection: { name: 'Connection', view: (partner) => <ConnectionTab partner={partner} /> },
  maps: { name: 'Maps', view: (partner) => <RoutesForm partner={partner} /> },
  settings: { name: 'Settings', view: (partner) => <SettingsForm partner={partner} /> },
  numbers: { name: 'Control numbers', view: (partner) => <ControlNumbers partner={partner} /> },
};

/** One partner: how far it is, and all that is agreed with it. */
export function PartnerPage() {
  const { partnerId } = route.useParams();
  const partner = useQuery(partnerQuery(partnerId));
  const { user } = useSession();
  const found = partner.data;
  return (
    <Page
      title={found === undefined ? 'Partner' : visibleText(found.name)}
      intro={<TextLink to="/app/partners">All partners</TextLink>}
      {...(found !== undefined &&
        !isMissing(partner.error) &&
        user.role !== 'viewer' && { actions: <PartnerActions partner={found} /> })}
    >
      <RecordState query={partner} kind="partner">
        {(known) => (
          <>
            <PartnerHead partner={known} />
            <Views key={known.id} partner={known} />
          </>
        )}
      </RecordState>
    </Page>
  );
}

function Views({ partner }: { partner: Partner }) {
  const { tab = 'setup' } = route.useSearch();
  const navigate = route.useNavigate();
  // What was opened stays, for what is typed there.
  const [opened, setOpened] = useState<readonly Tab[]>([tab]);
  if (!opened.includes(tab)) setOpened([...opened, tab]);
  const choose = (chosen: string | null) => {
    const next = PARTNER_TABS.find((each) => each === chosen);
    void navigate({ search: { tab: next === 'setup' ? undefined : next }, replace: true });
  };
  return (
    <Tabs value={tab} onChange={choose}>
      <TabList>
        {PARTNER_TABS.map((each) => (
          <Tabs.Tab key={each} value={each}>
            {VIEWS[each].name}
          </Tabs.Tab>
        ))}
      </TabList>
      {PARTNER_TABS.map((each) => (
        <Tabs.Panel key={each} value={each} pt="md">
          {opened.includes(each) && VIEWS[each].view(partner)}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
