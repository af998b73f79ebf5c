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

/** What is no id is as if it were not there. */
const parseAsUuid = createParser({ parse: (text) => uuidSchema.safeParse(text).data ?? null, serialize: (id: string) => id });

/** How the queue stands in an address; what is not chosen is not written. */
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

/** The queue's filter, which lives in the address: each choice is a step back, typing is one. */
export const useInboxFilter = () => {
  const [state, setState] = useQueryStates(PARSERS, { history: "push" });
  const filter = filterOf(state);

  return {
    filter,
    isNarrowed: isNarrowed(filter),
    /** `?risk=low`, or nothing. */
    search: serialize(state),
    choose: (change: Partial<InboxFilter>) => void setState(change),
    type: (text: string) => void setState({ text: text.slice(0, MOST_TEXT) }, { history: "replace" }),
    clear: () => void setState(NOTHING),
  };
};

/** The address follows the keys when they rest: each change of it renders the page. */
const ADDRESS_MS = 400;

/** The row that the keys are at, and how to say where they are at once. */
export const useQueueCursor = () => {
  const [current, setCurrent] = useQueryState("at", parseAsUuid.withOptions({ history: "replace", limitUrlUpdates: debounce(ADDRESS_MS) }));

  return {
    current,
    reach: useCallback((id: string) => void setCurrent(id), [setCurrent]),
    /** Resolves when the address says it: written later, it would call off a navigation that has begun by then. */
    settle: useCallback((id: string): Promise<unknown> => setCurrent(id, { limitUrlUpdates: throttle(0) }), [setCurrent]),
  };
};
