import { Icon } from '../../ui/Icon';
import { Panel } from '../../ui/Panel';
import { TextLink } from '../../ui/TextLink';
import classes from './Overview.module.css';

interface Props {
  hasMap: boolean;
  hasKey: boolean;
}

/** The way to the first conversion; gone once there was one. */
export function QuickStart({ hasMap, hasKey }: Props) {
  return (
    <Panel title="Quick start">
      <ol className={classes.steps}>
        <Step done={false}>
          Inspect a document: paste one here, or <TextLink to="/app/inspect">open Inspect</TextLink>
        </Step>
        <Step done={hasMap}>
          Create a map for it:{' '}
          <TextLink to="/app/maps" search={{ dialog: 'new' }}>
            new map
          </TextLink>
        </Step>
        <Step done={hasKey}>
          Create a key for your program:{' '}
          <TextLink to="/app/keys" search={{ new: true }}>
            new key
          </TextLink>
        </Step>
        <Step done={false}>
          Convert documents with it: “Use it” in the mapper shows the command
        </Step>
      </ol>
    </Panel>
  );
}

function Step({ done, children }: { done: boolean; children: React.ReactNode }) {
  return (
    <li>
      {children}
      {done && (
        <span className={classes.done}>
          <Icon name="check" size={14} /> done
        </span>
      )}
    </li>
  );
}
