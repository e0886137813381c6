import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient } from '../../api/queryClient';
import { exchangeWords, isInProgress } from '../../core/partnerSetup';
import { stepsOf } from '../../core/timeline';
import { Icon } from '../../ui/Icon';
import { announce } from '../../ui/LiveRegion';
import { QueryState } from '../../ui/States';
import { TextLink } from '../../ui/TextLink';
import { Time } from '../../ui/Time';
import { VisibleText } from '../../ui/VisibleText';
import classes from './partners.module.css';
import { exchangeQuery, type Exchange as Record } from './queries';

interface Props {
  id: number;
  /** Sent just now: each step is announced to screen readers. */
  isNew: boolean;
}

/** What became of one document, followed until nothing more can happen by itself. */
export function Exchange({ id, isNew }: Props) {
  const exchange = useQuery(exchangeQuery(id));
  const record = exchange.data?.record;
  const partnerId = record?.partner_id;
  const isSettled = record !== undefined && !isInProgress(record);
  const words = record === undefined ? '' : exchangeWords(record).text;
  useEffect(() => {
    if (isNew && words !== '') announce(words);
  }, [isNew, words]);
  // The state of the connection and the steps follow from it.
  useEffect(() => {
    if (!isSettled || partnerId === null) return;
    void queryClient.invalidateQueries({ queryKey: ['partner', String(partnerId)] });
  }, [isSettled, partnerId]);
  return (
    <QueryState query={exchange} what="The exchange could not be loaded.">
      {({ record: shown, timeline }) => (
        <div>
          <Text>
            <TextLink
              to="/app/transactions/$transactionId"
              params={{ transactionId: String(shown.id) }}
            >
              {shown.tx_set} {shown.tx_set_name} <VisibleText text={shown.business_key} />
            </TextLink>
          </Text>
          <Outcome record={shown} />
          <ol className={classes.timeline} aria-label="What happened">
            {stepsOf(timeline).map(({ at, words: happened }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: what happened only grows at its end
              <li key={place} className={classes.event}>
                <span>{happened}</span>
                <span className={classes.eventTime}>
                  <Time value={at} />
                </span>
              </li>
            ))}
          </ol>
        </div>
      )}
    </QueryState>
  );
}

function Outcome({ record }: { record: Record }) {
  const { tone, text } = exchangeWords(record);
  const icon = { ok: 'check', err: 'alert', plain: 'clock' } as const;
  return (
    <p className={classes.outcome} data-tone={tone}>
      <Icon name={icon[tone]} size={16} />
      <span>{text}</span>
    </p>
  );
}
