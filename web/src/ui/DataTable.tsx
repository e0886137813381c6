import { Table, VisuallyHidden } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import classes from './DataTable.module.css';
import { Icon } from './Icon';

export interface Column<Row> {
  key: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** Numbers stand at the right. */
  numeric?: boolean;
  /** Given: the column can be sorted by; the page keeps the order in its address. */
  sortable?: boolean;
  /**
   * What a row is known by. Where it is narrow, a row of a table that has such columns is a card:
   * these stand first and without their title, the others after it with theirs.
   */
  lead?: boolean;
  /**
   * Of texts of any length: `wraps` shows them whole, over several lines; `shortens` gives up its
   * width before the others do, so its cells say all of it in a title.
   */
  long?: 'wraps' | 'shortens';
  /** The title is for screen readers: what stands in the column says the same. */
  untitled?: boolean;
}

export interface Order {
  by: string;
  down: boolean;
}

interface Props<Row> {
  /** Names the table for screen readers. */
  label: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  order?: Order;
  onOrder?: (order: Order) => void;
  /** What a row says when it is opened, over the whole width; null: it is closed. */
  detail?: (row: Row) => ReactNode;
}

/** What stands in a cell that has nothing to say. */
const NOTHING = '–';

/** The one table of the application: sticky head, sorted by keyboard, scrolls in its own frame. */
export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rows, rowKey, order, onOrder, detail = () => null } = props;
  const stacks = columns.some(({ lead }) => lead);
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={classes.scroll} tabIndex={0} aria-label={label}>
        <Table
          stickyHeader
          verticalSpacing={6}
          horizontalSpacing={12}
          highlightOnHover
          {...(stacks && { className: classes.stacks, ...ROLES.table })}
        >
          <Table.Thead {...ROLES.group}>
            <Table.Tr {...ROLES.row}>
              {columns.map((column) => (
                <Head key={column.key} column={column} {...orderProps(order, onOrder)} />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody {...ROLES.group}>
            {rows.map((row) => (
              <Fragment key={rowKey(row)}>
                <Table.Tr {...ROLES.row}>
                  {columns.map((column) => (
                    <Cell key={column.key} column={column} row={row} />
                  ))}
                </Table.Tr>
                <Detail columns={columns.length}>{detail(row)}</Detail>
              </Fragment>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </div>
  );
}

// A table that is laid out otherwise is none to a browser, unless its parts say what they are.
const ROLES = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { title, cell, numeric = false, lead = false, long } = column;
  const content = cell(row);
  return (
    <Table.Td
      {...ROLES.cell}
      ta={numeric ? 'right' : 'left'}
      data-title={title}
      data-lead={lead || undefined}
      data-empty={content === NOTHING || content === false || undefined}
    >
      {long === undefined ? content : <div className={classes[long]}>{content}</div>}
    </Table.Td>
  );
}

function Detail({ columns, children }: { columns: number; children: ReactNode }) {
  if (children === null) return null;
  return (
    <Table.Tr {...ROLES.row}>
      <Table.Td {...ROLES.cell} colSpan={columns}>
        <div className={classes.detail}>{children}</div>
      </Table.Td>
    </Table.Tr>
  );
}

interface OrderProps {
  order?: Order;
  onOrder?: (order: Order) => void;
}

function orderProps(order?: Order, onOrder?: (order: Order) => void): OrderProps {
  return order && onOrder ? { order, onOrder } : {};
}

function Head<Row>({ column, order, onOrder }: { column: Column<Row> } & OrderProps) {
  const align = column.numeric ? 'right' : 'left';
  if (!column.sortable || !order || !onOrder)
    return (
      <Table.Th {...ROLES.head} ta={align}>
        {column.untitled ? <VisuallyHidden>{column.title}</VisuallyHidden> : column.title}
      </Table.Th>
    );
  const active = order.by === column.key;
  const sorted = active ? (order.down ? 'descending' : 'ascending') : 'none';
  return (
    <Table.Th {...ROLES.head} ta={align} aria-sort={sorted}>
      <button
        type="button"
        className={classes.sort}
        onClick={() => onOrder({ by: column.key, down: active ? !order.down : false })}
      >
        {column.title}
        {active && <Icon name={order.down ? 'arrowDown' : 'arrowUp'} size={12} />}
      </button>
    </Table.Th>
  );
}
