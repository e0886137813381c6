import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, data } from '../../api/client';
import { useSession } from '../../api/session';
import {
  RETENTION_MAX_DAYS,
  removesMore,
  retentionDays,
  retentionWords,
} from '../../core/retention';
import { notifyDone } from '../../ui/notify';
import { Panel } from '../../ui/Panel';
import { RefusalText } from '../../ui/RefusalText';
import { useSubmission } from '../../ui/useSubmission';
import { accountQuery } from './api';

/** How long documents are kept; an owner may change it. */
export function RetentionPanel({ days }: { days: number | null }) {
  const { user } = useSession();
  return (
    <Panel title="Stored documents">
      {user.role === 'owner' ? (
        <RetentionForm key={days} days={days} />
      ) : (
        <Text>
          Documents are stored {retentionWords(days)}, in both environments. Owners can change it.
        </Text>
      )}
    </Panel>
  );
}

const FALLBACK_DAYS = '90';

function RetentionForm({ days }: { days: number | null }) {
  const [forEver, setForEver] = useState(days === null);
  const [typed, setTyped] = useState(days === null ? FALLBACK_DAYS : String(days));
  const { busy, refusal, left, run } = useSubmission();
  const queries = useQueryClient();
  const chosen = forEver ? null : retentionDays(typed);
  const isWrong = !forEver && chosen === null;

  const save = () =>
    run(async () => {
      const body = { retention_days: chosen, identities: null };
      const answer = await data(api.PUT('/api/account', { body }));
      queries.setQueryData(accountQuery.queryKey, answer.account);
      notifyDone(`Documents are stored ${retentionWords(chosen)}.`);
    });
  const ask = () => {
    if (isWrong) return;
    if (!removesMore(days, chosen)) return void save();
    modals.openConfirmModal({
      title: `Keep documents ${retentionWords(chosen)} only?`,
      children: (
        <Text>
          Older documents are deleted within the hour, in both environments. This cannot be undone.
        </Text>
      ),
      labels: { confirm: 'Delete older documents', cancel: 'Cancel' },
      confirmProps: { variant: 'outline', color: 'var(--ls-err)' },
      onConfirm: () => void save(),
    });
  };
  return (
    <form
      aria-label="Stored documents"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <Stack gap="md" align="flex-start">
        <Text>How long documents are stored, in both environments.</Text>
        <Checkbox
          label="Forever"
          checked={forEver}
          onChange={(event) => setForEver(event.currentTarget.checked)}
        />
        {!forEver && (
          <TextInput
            label="Days"
            inputMode="numeric"
            w={160}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={
              isWrong
                ? `A whole number from 1 to ${RETENTION_MAX_DAYS.toLocaleString('en')}.`
                : null
            }
          />
        )}
        <RefusalText refusal={refusal} left={left} />
        <Group>
          <Button type="submit" variant="default" loading={busy} disabled={left > 0}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
