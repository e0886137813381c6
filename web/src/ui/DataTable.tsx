import { Table } from '@mantine/core';
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

/** The one table of the application: sticky head, sorted by keyboard, scrolls in its own frame. */
export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rows, rowKey, order, onOrder, detail = () => null } = props;
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={classes.scroll} tabIndex={0} aria-label={label}>
        <Table stickyHeader verticalSpacing={6} horizontalSpacing={12} highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Head key={column.key} column={column} {...orderProps(order, onOrder)} />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Fragment key={rowKey(row)}>
                <Table.Tr>
                  {columns.map((column) => (
                    <Table.Td key={column.key} ta={column.numeric ? 'right' : 'left'}>
                      {column.cell(row)}
                    </Table.Td>
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

function Detail({ columns, children }: { columns: number; children: ReactNode }) {
  if (children === null) return null;
  return (
    <Table.Tr>
      <Table.Td colSpan={columns}>
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
  if (!column.sortable || !order || !onOrder) return <Table.Th ta={align}>{column.title}</Table.Th>;
  const active = order.by === column.key;
  const sorted = active ? (order.down ? 'descending' : 'ascending') : 'none';
  return (
    <Table.Th ta={align} aria-sort={sorted}>
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
