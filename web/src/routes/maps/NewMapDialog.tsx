import { Modal, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { formatName } from '../../core/inspection';
import { startersQuery } from '../../mapper/server';
import { FaultList } from '../../ui/FaultList';
import { Icon } from '../../ui/Icon';
import { ErrorState, QueryState } from '../../ui/States';
import { LinkButton } from '../../ui/TextLink';
import { addStarter } from './changes';
import classes from './Maps.module.css';

interface Props {
  opened: boolean;
  onClose: () => void;
}

/** Begins a map: over a document, or as a copy of one that comes with Longshore. */
export function NewMapDialog({ opened, onClose }: Props) {
  return (
    // Always there, so that the focus goes back to what opened it.
    <Modal opened={opened} onClose={onClose} title="New map" size="lg">
      <NewMap />
    </Modal>
  );
}

function NewMap() {
  const starters = useQuery(startersQuery);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const add = useMutation({
    mutationFn: addStarter,
    onSuccess: async (id) => {
      await queries.invalidateQueries({ queryKey: ['maps'] });
      await navigate({ to: '/app/maps/$mapId', params: { mapId: String(id) } });
    },
  });
  return (
    <Stack gap="lg">
      <div>
        <Title order={3} size="h4" mb="xs">
          From a document
        </Title>
        <Text c="dimmed" mb="sm">
          Paste or choose a document, then link its fields to the output.
        </Text>
        <LinkButton
          to="/app/maps/$mapId"
          params={{ mapId: 'new' }}
          leftSection={<Icon name="plus" size={16} />}
        >
          Start from a document
        </LinkButton>
      </div>
      <div>
        <Title order={3} size="h4" mb="xs">
          From a starter map
        </Title>
        <Text c="dimmed" mb="sm">
          A copy is saved and opened for you to edit.
        </Text>
        {add.isError && (
          <>
            <ErrorState error={add.error} what="The map could not be created." />
            <FaultList error={add.error} />
          </>
        )}
        <QueryState query={starters} what="The starter maps could not be loaded.">
          {(found) => (
            <ul className={classes.starters} aria-label="Starter maps">
              {found.map(({ key, name, source_fmt, target_fmt, tx_set }) => (
                <li key={key}>
                  <UnstyledButton
                    className={classes.starter}
                    disabled={add.isPending}
                    onClick={() => add.mutate(key)}
                  >
                    <span className={classes.starterName}>{name}</span>
                    <span className={classes.starterAbout}>
                      {[tx_set, `${formatName(source_fmt)} → ${formatName(target_fmt)}`]
                        .filter((each) => each !== '')
                        .join(' · ')}
                    </span>
                  </UnstyledButton>
                </li>
              ))}
            </ul>
          )}
        </QueryState>
      </div>
    </Stack>
  );
}
