import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { filesOf } from './api/files';
import {
  countOf,
  flagOf,
  LONGEST_PATH,
  optional,
  readAddress,
  textOf,
  wordOf,
  writeAddress,
} from './core/address';
import { CODE_CHECKS, FORMATS } from './core/inspection';
import { acksSearch } from './routes/acks/search';
import { auditSearch } from './routes/audit/search';
import { interchangesSearch } from './routes/interchanges/search';
import { NoPage } from './routes/NoPage';
import { NotFoundPage } from './routes/NotFoundPage';
import { overviewSearch } from './routes/overview/search';
import { partnerSearch, partnersSearch } from './routes/partners/search';
import { transactionSearch, transactionsSearch } from './routes/transactions/search';
import { storedSearch, vaultSearch } from './routes/vault/search';
import { ShellRoute } from './shell/ShellRoute';
import { CrashState } from './ui/CrashState';

const root = createRootRoute({ notFoundComponent: NotFoundPage });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/app' });
  },
});
const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(
    filesOf(() => import('./routes/SetupPage')),
    'SetupPage',
  ),
});
const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: optional((search) => ({ next: textOf(search, 'next', LONGEST_PATH) })),
  component: lazyRouteComponent(
    filesOf(() => import('./routes/LoginPage')),
    'LoginPage',
  ),
});

const app = createRoute({ getParentRoute: () => root, path: '/app', component: ShellRoute });

const overview = createRoute({
  getParentRoute: () => app,
  path: '/',
  validateSearch: overviewSearch,
  component: lazyRouteComponent(
    filesOf(() => import('./routes/OverviewPage')),
    'OverviewPage',
  ),
});
const inspect = createRoute({
  getParentRoute: () => app,
  path: '/inspect',
  /** `doc`: id of a stored document; `sample`: name of a sample; `at`: path of the chosen row. */
  validateSearch: optional((search) => ({
    doc: countOf(search, 'doc'),
    sample: textOf(search, 'sample'),
    format: wordOf(search, 'format', FORMATS),
    guide: textOf(search, 'guide'),
    release: textOf(search, 'release'),
    codes: wordOf(search, 'codes', CODE_CHECKS),
    at: textOf(search, 'at', LONGEST_PATH),
    tab: wordOf(search, 'tab', ['findings', 'ack'] as const),
  })),
  component: lazyRouteComponent(
    filesOf(() => import('./routes/InspectPage')),
    'InspectPage',
  ),
});
const maps = createRoute({
  getParentRoute: () => app,
  path: '/maps',
  validateSearch: optional((search) => ({
    q: textOf(search, 'q'),
    offset: countOf(search, 'offset'),
    dialog: wordOf(search, 'dialog', ['new', 'import'] as const),
  })),
  component: lazyRouteComponent(
    filesOf(() => import('./routes/MapsPage')),
    'MapsPage',
  ),
});
const mapper = createRoute({
  getParentRoute: () => app,
  path: '/maps/$mapId',
  /** `row`: the selected target; `panel`: what the right side shows; `view`: what lies over the page. */
  validateSearch: optional((search) => ({
    row: textOf(search, 'row', LONGEST_PATH),
    panel: wordOf(search, 'panel', ['preview', 'issues', 'tests'] as const),
    view: wordOf(search, 'view', ['code', 'history', 'use', 'replay', 'settings'] as const),
    version: countOf(search, 'version'),
  })),
  component: lazyRouteComponent(
    filesOf(() => import('./routes/MapperPage')),
    'MapperPage',
  ),
});
const vault = createRoute({
  getParentRoute: () => app,
  path: '/vault',
  validateSearch: vaultSearch,
  component: lazyRouteComponent(
    filesOf(() => import('./routes/VaultPage')),
    'VaultPage',
  ),
});
const vaultDocument = createRoute({
  getParentRoute: () => app,
  path: '/vault/$docId',
  validateSearch: storedSearch,
  component: lazyRouteComponent(
    filesOf(() => import('./routes/VaultDocumentPage')),
    'VaultDocumentPage',
  ),
});
const keys = createRoute({
  getParentRoute: () => app,
  path: '/keys',
  validateSearch: optional((search) => ({
    new: flagOf(search, 'new'),
    status: wordOf(search, 'status', ['active', 'grace', 'revoked', 'expired'] as const),
  })),
  component: lazyRouteComponent(
    filesOf(() => import('./routes/KeysPage')),
    'KeysPage',
  ),
});
const account = createRoute({
  getParentRoute: () => app,
  path: '/account',
  component: lazyRouteComponent(
    filesOf(() => import('./routes/AccountPage')),
    'AccountPage',
  ),
});
const transactions = createRoute({
  getParentRoute: () => app,
  path: '/transactions',
  validateSearch: transactionsSearch,
  component: lazyRouteComponent(
    filesOf(() => import('./routes/TransactionsPage')),
    'TransactionsPage',
  ),
});
const transaction = createRoute({
  getParentRoute: () => app,
  path: '/transactions/$transactionId',
  validateSearch: transactionSearch,
  component: lazyRouteComponent(
    filesOf(() => import('./routes/TransactionPage')),
    'TransactionPage',
  ),
});
const correct = createRoute({
  getParentRoute: () => app,
  path: '/transactions/$transactionId/correct',
  component: lazyRouteComponent(
    filesOf(() => import('./routes/CorrectPage')),
    'CorrectPage',
  ),
});
const acks = createRoute({
  getParentRoute: () => app,
  path: '/acks',
  validateSearch: acksSearch,
  component: lazyRouteComponent(
    filesOf(() => import('./routes/AcksPage')),
    'AcksPage',
  ),
});
const interchanges = createRoute({
  getParentRoute: () => app,
  path: '/interchanges',
  validateSearch: interchangesSearch,
  component: lazyRouteComponent(
    filesOf(() => import('./routes/InterchangesPage')),
    'InterchangesPage',
  ),
});
const interchange = createRoute({
  getParentRoute: () => app,
  path: '/interchanges/$interchangeId',
  component: lazyRouteComponent(
    filesOf(() => import('./routes/InterchangePage')),
    'InterchangePage',
  ),
});
const partners = createRoute({
  getParentRoute: () => app,
  path: '/partners',
  validateSearch: partnersSearch,
  component: lazyRouteComponent(
    filesOf(() => import('./routes/PartnersPage')),
    'PartnersPage',
  ),
});
const partner = createRoute({
  getParentRoute: () => app,
  path: '/partners/$partnerId',
  validateSearch: partnerSearch,
  component: lazyRouteComponent(
    filesOf(() => import('./routes/PartnerPage')),
    'PartnerPage',
  ),
});
const audit = createRoute({
  getParentRoute: () => app,
  path: '/audit',
  validateSearch: auditSearch,
  component: lazyRouteComponent(
    filesOf(() => import('./routes/AuditPage')),
    'AuditPage',
  ),
});
const users = createRoute({
  getParentRoute: () => app,
  path: '/users',
  component: lazyRouteComponent(
    filesOf(() => import('./routes/UsersPage')),
    'UsersPage',
  ),
});

const webhooks = createRoute({
  getParentRoute: () => app,
  path: '/webhooks',
  validateSearch: optional((search) => ({ new: flagOf(search, 'new') })),
  component: lazyRouteComponent(
    filesOf(() => import('./routes/WebhooksPage')),
    'WebhooksPage',
  ),
});
const webhook = createRoute({
  getParentRoute: () => app,
  path: '/webhooks/$webhookId',
  /** `before`: the delivery that the page of deliveries goes on from; `delivery`: the one shown open. */
  validateSearch: optional((search) => ({
    before: countOf(search, 'before'),
    delivery: countOf(search, 'delivery'),
  })),
  component: lazyRouteComponent(
    filesOf(() => import('./routes/WebhookPage')),
    'WebhookPage',
  ),
});

const nowhere = createRoute({ getParentRoute: () => app, path: '$', component: NoPage });

const tree = root.addChildren([
  home,
  setup,
  login,
  app.addChildren([
    overview,
    transactions,
    transaction,
    correct,
    acks,
    interchanges,
    interchange,
    partners,
    partner,
    inspect,
    maps,
    mapper,
    vault,
    vaultDocument,
    keys,
    webhooks,
    webhook,
    users,
    audit,
    account,
    nowhere,
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  parseSearch: readAddress,
  stringifySearch: writeAddress,
  defaultPreload: 'intent',
  defaultErrorComponent: CrashState,
  scrollRestoration: true,
});

// The router writes back what its pages know of an address; the page still says what it left out.
const { href, search, state } = router.history.location;
if (search !== '' && state.written === undefined) {
  router.history.replace(href, { ...state, written: search });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** What stood behind the `?` of an address that somebody typed or followed from elsewhere. */
    written?: string;
  }
}
