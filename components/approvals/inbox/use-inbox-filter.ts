"use client";

import {
  createParser,
  createSerializer,
  debounce,
  parseAsBoolean,
  parseAsString,
  parseAsStringLiteral,
  throttle,
  useQueryState,
  useQueryStates,
  type inferParserType,
} from "nuqs";
import { useCallback } from "react";
import { AGES, INBOX_TABS, isNarrowed, RISKS, type InboxFilter } from "@/lib/engine/approvals/inbox";
import { uuidSchema } from "@/lib/ids";

const MOST_TEXT = 100;

/** Anything but an id counts as absent. */
const parseAsUuid = createParser({ parse: (text) => uuidSchema.safeParse(text).data ?? null, serialize: (id: string) => id });

/** Query parameters of the queue; defaults are left out. */
const PARSERS = {
  tab: parseAsStringLiteral(INBOX_TABS).withDefault("open"),
  mine: parseAsBoolean.withDefault(false),
  risk: parseAsStringLiteral(RISKS),
  graph: parseAsUuid,
  age: parseAsStringLiteral(AGES),
  expiring: parseAsBoolean.withDefault(false),
  text: parseAsString.withDefault(""),
};

const serialize = createSerializer(PARSERS);

const NOTHING = { mine: null, risk: null, graph: null, age: null, expiring: null, text: null } as const;

const filterOf = (state: inferParserType<typeof PARSERS>): InboxFilter => ({ ...state, text: state.text.slice(0, MOST_TEXT) });

/** Filter of the queue, kept in the URL. Each choice adds a history entry; typing replaces it. */
export const useInboxFilter = () => {
  const [state, setState] = useQueryStates(PARSERS, { history: "push" });
  const filter = filterOf(state);

  return {
    filter,
    isNarrowed: isNarrowed(filter),
    /** Query string such as `?risk=low`, or empty. */
    search: serialize(state),
    choose: (change: Partial<InboxFilter>) => void setState(change),
    type: (text: string) => void setState({ text: text.slice(0, MOST_TEXT) }, { history: "replace" }),
    clear: () => void setState(NOTHING),
  };
};

/** Debounce of the URL: each change of it renders the page. */
const ADDRESS_MS = 400;

/** Current row of the keyboard, kept in the URL. */
export const useQueueCursor = () => {
  const [current, setCurrent] = useQueryState("at", parseAsUuid.withOptions({ history: "replace", limitUrlUpdates: debounce(ADDRESS_MS) }));

  return {
    current,
    reach: useCallback((id: string) => void setCurrent(id), [setCurrent]),
    /** Resolves once the URL is written: a later write would cancel a navigation. */
    settle: useCallback((id: string): Promise<unknown> => setCurrent(id, { limitUrlUpdates: throttle(0) }), [setCurrent]),
  };
};
