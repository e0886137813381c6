import { type KeyboardEvent, useMemo } from 'react';
import { Inspector } from './Inspector';
import { IssuesPanel } from './IssuesPanel';
import classes from './Mapper.module.css';
import preview from './Preview.module.css';
import { PreviewPanel } from './PreviewPanel';
import { TestsPanel } from './TestsPanel';
import type { Hover } from './useHover';
import type { MapperState } from './useMapper';
import type { Page, PanelName } from './usePage';

interface Props {
  mapper: MapperState;
  page: Page;
  hover: Hover;
}

const NAMES = ['preview', 'issues', 'tests'] as const;

/** Output, issues and tests, and under them the rule of the selected row. */
export function SidePane({ mapper, page, hover }: Props) {
  const issues = mapper.problems;
  const { state } = mapper.editor;
  const labels: Record<PanelName, string> = {
    preview: 'Preview',
    issues: `Issues ${issues.list.length}`,
    tests: `Tests ${state.tests.length}`,
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const next = NAMES[(NAMES.indexOf(page.panel) + step + NAMES.length) % NAMES.length];
    if (next === undefined) return;
    page.setPanel(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-tab=${next}]`)?.focus();
  };
  return (
    <div className={classes.side} data-side>
      <section className={classes.pane} aria-label="Output and checks">
        <div
          role="tablist"
          aria-label="Output and checks"
          className={preview.tabs}
          onKeyDown={onKeyDown}
        >
          {NAMES.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`tab-${name}`}
              data-tab={name}
              aria-selected={page.panel === name}
              aria-controls="side-panel"
              tabIndex={page.panel === name ? 0 : -1}
              className={preview.tab}
              onClick={() => page.setPanel(name)}
            >
              {labels[name]}
            </button>
          ))}
        </div>
        <div
          role="tabpanel"
          id="side-panel"
          aria-labelledby={`tab-${page.panel}`}
          className={preview.panel}
        >
          {page.panel === 'preview' && <PreviewPanel mapper={mapper} page={page} hover={hover} />}
          {page.panel === 'issues' && <IssuesPanel mapper={mapper} issues={issues} />}
          {page.panel === 'tests' && <TestsPanel mapper={mapper} />}
        </div>
      </section>
      <SelectedRule mapper={mapper} page={page} />
    </div>
  );
}

function SelectedRule({ mapper, page }: { mapper: MapperState; page: Page }) {
  const { active } = mapper.targetSide.tree;
  const { connecting, trees, links } = mapper;
  const node = active === null ? null : (trees.targetById.get(active) ?? null);
  const rules = useMemo(
    () => (active === null ? [] : (links.byTarget.get(active) ?? [])),
    [links, active],
  );
  const offer = active === null ? null : (mapper.offers.get(active) ?? null);
  const picked = connecting.picked;
  return (
    <Inspector
      key={`${active ?? ''} ${page.constantFor === active ? 'constant' : ''}`}
      editor={mapper.editor}
      node={node}
      rules={rules}
      faults={mapper.faults}
      offer={offer}
      typesConstant={page.constantFor !== null && page.constantFor === active}
      picked={picked === null ? null : (trees.sourceById.get(picked) ?? null)}
      onAccept={() => offer !== null && mapper.suggestions.accept([offer])}
      onReject={() => offer !== null && mapper.suggestions.reject(offer)}
      onConstant={(value) => {
        page.setConstantFor(null);
        if (active !== null) connecting.constant(active, value);
      }}
      onPickSource={() => page.setSheet('source')}
      onLinkPicked={() => {
        if (picked !== null && active !== null) connecting.link(picked, active, false);
      }}
    />
  );
}
