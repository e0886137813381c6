import { Kbd, Modal, Switch, Table, Text } from '@mantine/core';
import { useOs } from '@mantine/hooks';
import { sheet, useSheet, useSingleKeys } from './shortcuts';

/** The name of the key that opens the command palette, as it is printed on the keyboard. */
export function usePaletteKey(): string {
  const os = useOs();
  return os === 'macos' || os === 'ios' ? '⌘ K' : 'Ctrl K';
}

/** What the keyboard does on every page. */
export function ShortcutSheet() {
  const shown = useSheet();
  const [enabled, setEnabled] = useSingleKeys();
  const keys = [
    [usePaletteKey(), 'Search, go to a page, or create something'],
    ['/', 'To the search field of the page'],
    ['?', 'This list'],
    ['Esc', 'Close a dialog or a menu'],
  ] as const;
  return (
    <Modal opened={shown} onClose={() => sheet.set(false)} title="Keyboard">
      <Table mb="lg" aria-label="Keys">
        <Table.Tbody>
          {keys.map(([key, what]) => (
            <Table.Tr key={key}>
              <Table.Th scope="row" w={96}>
                <Kbd>{key}</Kbd>
              </Table.Th>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Switch
        label="Single keys (/ and ?)"
        description="Turn them off if you use dictation or press them by mistake."
        checked={enabled}
        onChange={(event) => setEnabled(event.currentTarget.checked)}
      />
      <Text size="sm" c="dimmed" mt="lg">
        The mapper has its own shortcuts: press ? there.
      </Text>
    </Modal>
  );
}
