import { useQuery } from '@tanstack/react-query';
import { totalWords } from '../../core/totalWords';
import { keysQuery } from '../keys/api';
import { mapsQuery } from '../maps/queries';
import { vaultQuery } from '../vault/queries';
import { Figure } from './Figure';
import { LATEST } from './Latest';
import classes from './Overview.module.css';

/** How much there is of everything; each leads to its page. */
export function Figures() {
  const maps = useQuery(mapsQuery);
  const documents = useQuery(vaultQuery({}, LATEST));
  const keys = useQuery(keysQuery(undefined));
  const working = keys.data?.filter(({ status }) => status === 'active' || status === 'grace');
  return (
    <ul className={classes.figures} aria-label="Totals">
      <Figure
        to="/app/maps"
        name="Maps"
        query={maps}
        count={maps.data?.length.toLocaleString('en')}
      />
      <Figure
        to="/app/vault"
        name="Stored documents"
        query={documents}
        count={documents.data && totalWords(documents.data)}
      />
      <Figure
        to="/app/keys"
        name="Active API keys"
        query={keys}
        count={working?.length.toLocaleString('en')}
      />
    </ul>
  );
}
