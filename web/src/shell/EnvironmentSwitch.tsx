import { Menu, UnstyledButton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { context, type Environment } from '../api/context';
import { sessionQuery, useSession } from '../api/session';
import { Icon } from '../ui/Icon';
import { announce } from '../ui/LiveRegion';
import classes from './Shell.module.css';

const NAMES: Record<Environment, string> = { sandbox: 'Sandbox', production: 'Production' };
const ENVIRONMENTS = ['sandbox', 'production'] as const;

/** The environment that this tab shows. */
export function useEnvironment(): Environment {
  return useSyncExternalStore(context.subscribe, context.environment);
}

/** Changes what all pages show; nothing of the other environment stays in memory. */
export function EnvironmentSwitch() {
  const environment = useEnvironment();
  const { environments, account } = useSession();
  const queries = useQueryClient();
  const choose = (name: string) => {
    const chosen = ENVIRONMENTS.find((each) => each === name);
    if (chosen === undefined || chosen === environment) return;
    context.setEnvironment(chosen);
    queries.removeQueries({
      predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0],
    });
    announce(`${NAMES[chosen]} is shown.`);
  };
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <UnstyledButton
          className={classes.environment}
          data-environment={environment}
          aria-label={`Environment ${NAMES[environment]}`}
        >
          <Icon name={environment === 'production' ? 'production' : 'play'} size={14} />
          <span className={classes.environmentName}>{NAMES[environment]}</span>
          <Icon name="chevronDown" size={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={environment} onChange={choose}>
          {ENVIRONMENTS.map((name) => (
            <Menu.RadioItem
              key={name}
              value={name}
              closeMenuOnClick
              disabled={!environments.includes(name)}
            >
              {NAMES[name]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Label className={classes.planText}>
          {environments.includes('production')
            ? 'Production shows live documents. The environments are isolated: keys and documents of one are never visible in the other.'
            : `The plan “${account.account_type}” does not include production. The operator of this server can change the plan.`}
        </Menu.Label>
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
