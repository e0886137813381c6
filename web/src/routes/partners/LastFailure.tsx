import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useSession } from '../../api/session';
import { notifyDone, notifyFailed } from '../../ui/notify';
import { TextLink } from '../../ui/TextLink';
import { Time } from '../../ui/Time';
import { freshPartner, savePartner } from './changes';
import { lastFailureQuery, type Partner } from './queries';

/** The last failure of a connection that fails, and whether another attempt comes by itself. */
export function useFailure({ id, connection_status }: Partner) {
  const isFailing = connection_status === 'failing' || connection_status === 'disabled';
  const failure = useQuery({ ...lastFailureQuery(id), enabled: isFailing });
  const { record = null, isTriedAgain = null } = (isFailing && failure.data) || {};
  return { isFailing, record, isTriedAgain };
}

/** Why the connection fails, in the words of the last failure; nothing while it works. */
export function LastFailure({ partner }: { partner: Partner }) {
  const { user } = useSession();
  const isDisabled = partner.connection_status === 'disabled';
  const { isFailing, record } = useFailure(partner);
  if (!isFailing) return null;
  return (
    <Stack gap="sm" align="flex-start">
      {record?.last_error && (
        <Text c="var(--ls-err)">
          <Time value={record.last_error.at} />: {record.last_error.message}{' '}
          <TextLink
            to="/app/transactions/$transactionId"
            params={{ transactionId: String(record.id) }}
          >
            Open the document
          </TextLink>
        </Text>
      )}
      {isDisabled && user.role !== 'viewer' && <TryAgain partner={partner} />}
    </Stack>
  );
}

/** Whatever is saved of a partner ends that its connection is disabled, even if nothing changed. */
function TryAgain({ partner }: { partner: Partner }) {
  const enable = useMutation({
    mutationFn: () => savePartner(partner, {}),
    onSuccess: () => notifyDone('The connection was enabled.'),
    onError: (error) => {
      notifyFailed('The connection could not be enabled.', error);
      void freshPartner(partner.id);
    },
  });
  return (
    <Button
      variant="default"
      size="compact-md"
      loading={enable.isPending}
      onClick={() => enable.mutate()}
    >
      Enable connection
    </Button>
  );
}
