import { useQuery } from '@tanstack/react-query';
import { TextLink } from '../../ui/TextLink';
import { keysQuery } from '../keys/api';
import { mapsQuery } from '../maps/queries';
import { Figures } from './Figures';
import { FirstDocument } from './FirstDocument';
import classes from './Overview.module.css';
import { QuickStart } from './QuickStart';

/** The overview of whom no partner knows yet; the way in, until something was converted. */
export function Start({ wasUsed }: { wasUsed: boolean }) {
  const maps = useQuery(mapsQuery);
  const keys = useQuery(keysQuery(undefined));
  // Else the card would come and go before the eyes of whom it is not the first document.
  const isFirst = !wasUsed && !maps.isPending && !keys.isPending;
  const isKnown = maps.isSuccess && keys.isSuccess;
  return (
    <>
      {isFirst && (
        <div className={`${classes.top} ${isKnown ? '' : classes.whole}`}>
          <FirstDocument />
          {isKnown && <QuickStart hasMap={maps.data.length > 0} hasKey={keys.data.length > 0} />}
        </div>
      )}
      <p className={classes.noTrade}>
        Nothing has been exchanged with a partner yet.{' '}
        <TextLink to="/app/partners">Send a test order to the simulator</TextLink>
      </p>
      <Figures />
    </>
  );
}
