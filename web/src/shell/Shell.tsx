import { AppShell, Burger, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ModalsProvider } from '@mantine/modals';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSession } from '../api/session';
import { Icon } from '../ui/Icon';
import { AccountMenu } from './AccountMenu';
import { useArrival } from './arrival';
import { CommandPalette, openPalette } from './CommandPalette';
import { EnvironmentSwitch, ProductionBand, useEnvironment } from './EnvironmentSwitch';
import { LoginDialog } from './LoginDialog';
import { OfflineBanner } from './OfflineBanner';
import { pagesFor } from './pages';
import classes from './Shell.module.css';
import { ShortcutSheet, usePaletteKey } from './ShortcutSheet';
import { useShortcuts } from './shortcuts';

/** What stands around every page of somebody logged in. */
export function Shell() {
  const [open, { toggle, close }] = useDisclosure(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const environment = useEnvironment();
  const { user } = useSession();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the navigation
  useEffect(close, [path]);
  useArrival();
  useShortcuts();
  const paletteKey = usePaletteKey();
  return (
    <AppShell
      header={{ height: environment === 'production' ? 72 : 48 }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !open } }}
      padding="lg"
    >
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      <AppShell.Header className={classes.header}>
        <ProductionBand />
        <div className={classes.bar}>
          <Burger
            opened={open}
            onClick={toggle}
            hiddenFrom="sm"
            size="md"
            aria-label="Navigation"
            aria-expanded={open}
          />
          <Brand />
          <EnvironmentSwitch />
          <span className={classes.space} />
          <UnstyledButton
            className={classes.palette}
            onClick={openPalette}
            aria-label={`Search or create, ${paletteKey}`}
          >
            <Icon name="search" size={16} />
            <span className={classes.paletteName}>Search or create</span>
            <kbd className={classes.paletteKey}>{paletteKey}</kbd>
          </UnstyledButton>
          <a className={classes.headerButton} href="/docs" aria-label="Documentation">
            <Icon name="help" />
          </a>
          <AccountMenu />
        </div>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} mod={{ closed: !open }} aria-label="Pages" p="sm">
        {pagesFor(user.role).map(({ to, name, icon, ...page }) => (
          <Link
            key={to}
            to={to}
            data-first={'isFirst' in page || undefined}
            className={classes.link}
            activeOptions={{ exact: to === '/app', includeSearch: false }}
            activeProps={{ className: classes.active ?? '' }}
          >
            <Icon name={icon} /> {name}
          </Link>
        ))}
      </AppShell.Navbar>
      <AppShell.Main id="main" className={classes.main} tabIndex={-1}>
        <OfflineBanner />
        {/* Here, since its dialogs need #overlays to be there before they are. */}
        <ModalsProvider>
          <Outlet key={environment} />
        </ModalsProvider>
        <CommandPalette />
        <LoginDialog />
        <ShortcutSheet />
        <div id="overlays" />
      </AppShell.Main>
    </AppShell>
  );
}

function Brand() {
  const { account } = useSession();
  return (
    <Link to="/app" className={classes.brand} aria-label={`Longshore ${account.name}`}>
      <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width={22} height={22} />
      <span>Longshore</span>
      <span className={classes.account}>{account.name}</span>
    </Link>
  );
}
