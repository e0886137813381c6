import { Menu, UnstyledButton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { context, type Environment } from '../api/context';
import { sessionQuery, useSession } from '../api/session';
import { Icon } from '../ui/Icon';
import { announce } from '../ui/LiveRegion';
import classes from './Shell.module.css';

const NAMES: Record<Environment, string> = { sandbox: 'Sandbox', production: 'Production' };

/** The environment that this tab shows. */
export function useEnvironment(): Environment {
  return useSyncExternalStore(context.subscribe, context.environment);
}

/** Changes what all pages show; nothing of the other environment stays in memory. */
export function EnvironmentSwitch() {
  const environment = useEnvironment();
  const { environments } = useSession();
  const queries = useQueryClient();
  const choose = (chosen: Environment) => {
    if (chosen === environment) return;
    context.setEnvironment(chosen);
    queries.removeQueries({
      predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0],
    });
    announce(`${NAMES[chosen]} is shown.`);
  };
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={classes.environment} data-environment={environment}>
          <Icon name={environment === 'production' ? 'production' : 'play'} size={14} />
          <span className={classes.environmentName}>{NAMES[environment]}</span>
          <Icon name="chevronDown" size={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {(['sandbox', 'production'] as const).map((name) => (
          <Menu.Item
            key={name}
            disabled={!environments.includes(name)}
            onClick={() => choose(name)}
            rightSection={
              name === environment ? <Icon name="check" size={14} label="shown" /> : null
            }
          >
            {NAMES[name]}
            {!environments.includes(name) && ' (not in your plan)'}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Stands over every page that shows live documents. */
export function ProductionBand() {
  if (useEnvironment() !== 'production') return null;
  return (
    <div className={classes.production}>
      <Icon name="production" size={14} /> PRODUCTION
    </div>
  );
}
