import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { Loading } from '../../ui/States';
import classes from './Figure.module.css';
import { type Charts, chartsQuery } from './queries';

interface FigureProps {
  title: string;
  /** What is shown, in one sentence. */
  about: string;
  /** Null: there is nothing to draw or to list. */
  table: ReactNode;
  children: ReactNode;
}

/** A chart with its caption; the table has the same numbers, and links where the chart has bars. */
export function ChartFigure({ title, about, table, children }: FigureProps) {
  const [isTable, setIsTable] = useState(false);
  const caption = useId();
  const words = isTable ? 'Show as chart' : 'Show as table';
  return (
    <figure className={classes.figure} aria-labelledby={caption}>
      <div className={classes.head}>
        <figcaption>
          <h2 id={caption} className={classes.title}>
            {title}
          </h2>
          <span className={classes.about}>{about}</span>
        </figcaption>
        {table !== null && (
          <Button
            variant="subtle"
            size="compact-sm"
            className={classes.toggle}
            aria-label={`${words}: ${title}`}
            onClick={() => setIsTable(!isTable)}
          >
            {words}
          </Button>
        )}
      </div>
      {isTable && table !== null ? (
        <div className={classes.table}>{table}</div>
      ) : (
        <div className={classes.body}>{children}</div>
      )}
    </figure>
  );
}

interface DrawingProps {
  /** All that a screen reader hears of the picture. */
  about: string;
  legend?: readonly LegendEntry[];
  children: (charts: Charts) => ReactNode;
}

interface LegendEntry {
  label: string;
  color: string;
  dashed?: boolean;
}

/** A picture for the eye and the mouse; everybody else has the table. */
export function Drawing({ about, legend = [], children }: DrawingProps) {
  const charts = useQuery(chartsQuery);
  return (
    <>
      {legend.length > 0 && (
        <ul className={classes.legend}>
          {legend.map((entry) => (
            <li key={entry.label}>
              <Swatch {...entry} /> {entry.label}
            </li>
          ))}
        </ul>
      )}
      <div className={classes.drawing}>
        {charts.isPending && <Loading />}
        {charts.isError && (
          // A browser does not try again to load what it could not, until the page is loaded anew.
          <p className={classes.quiet} role="alert">
            The chart could not be loaded. The table has the same numbers; reload the page to see
            the chart.
          </p>
        )}
        {charts.isSuccess && (
          <div role="img" aria-label={about}>
            {children(charts.data)}
          </div>
        )}
      </div>
    </>
  );
}

function Swatch({ color, dashed = false }: LegendEntry) {
  if (dashed) return <span className={classes.dash} style={{ borderColor: color }} />;
  return <span className={classes.swatch} style={{ background: color }} />;
}
