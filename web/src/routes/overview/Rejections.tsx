import { type Column, DataTable } from '../../ui/DataTable';
import { TextLink } from '../../ui/TextLink';
import { VisibleText } from '../../ui/VisibleText';
import { ChartFigure } from './ChartFigure';
import classes from './Figure.module.css';
import type { Stats } from './queries';
import { answersOf } from './terms';

type Reason = Stats['rejections'][number];

const MAX_BARS = 6;

/** Why partners rejected most often; each reason leads to the answers that gave it. */
export function Rejections({ stats }: { stats: Stats }) {
  const { rejections } = stats;
  const most = Math.max(1, ...rejections.map(({ count }) => count));
  return (
    <ChartFigure
      title="Top rejection reasons"
      about="Number of sets rejected by partners, by reason"
      table={rejections.length === 0 ? null : <ReasonTable stats={stats} />}
    >
      {rejections.length === 0 ? (
        <p className={classes.quiet}>No partner rejected a set.</p>
      ) : (
        <ol className={classes.reasons}>
          {rejections.slice(0, MAX_BARS).map((reason) => (
            <li key={reason.error} className={classes.reason}>
              <ReasonLink stats={stats} reason={reason} />
              <span>{reason.count.toLocaleString('en')}</span>
              <div className={classes.track}>
                <div className={classes.bar} style={{ width: `${(reason.count / most) * 100}%` }} />
              </div>
            </li>
          ))}
        </ol>
      )}
    </ChartFigure>
  );
}

function ReasonTable({ stats }: { stats: Stats }) {
  const columns: Column<Reason>[] = [
    { key: 'code', title: 'Code', cell: ({ code }) => <VisibleText text={code || '–'} /> },
    {
      key: 'reason',
      title: 'Reason',
      cell: (reason) => <ReasonLink stats={stats} reason={reason} />,
    },
    { key: 'count', title: 'Sets', numeric: true, cell: ({ count }) => count.toLocaleString('en') },
  ];
  return (
    <DataTable
      label="Rejection reasons"
      columns={columns}
      rows={stats.rejections}
      rowKey={({ error }) => error}
    />
  );
}

function ReasonLink({ stats, reason }: { stats: Stats; reason: Reason }) {
  const { meaning, code, path, error } = reason;
  const words = meaning || (code === '' ? 'No reason given' : `Code ${code}`);
  return (
    <TextLink {...answersOf(stats, { result: 'rejected', error })}>
      <VisibleText text={path === '' ? words : `${words} · ${path}`} />
    </TextLink>
  );
}
