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
import { daySchema } from "@/lib/saved-views";
import { uuidSchema } from "@/lib/ids";

const MOST_TEXT = 100;
const MOST_MODEL = 200;

const parseAsUuid = createParser({ parse: (text) => uuidSchema.safeParse(text).data ?? null, serialize: (id: string) => id });

const parseAsDay = createParser({ parse: (text) => daySchema.safeParse(text).data ?? null, serialize: (day: string) => day });

const PARSERS = {
  tab: parseAsStringLiteral(INBOX_TABS).withDefault("open"),
  mine: parseAsBoolean.withDefault(false),
  aside: parseAsBoolean.withDefault(false),
  assigned: parseAsBoolean.withDefault(false),
  risk: parseAsStringLiteral(RISKS),
  graph: parseAsUuid,
  age: parseAsStringLiteral(AGES),
  expiring: parseAsBoolean.withDefault(false),
  from: parseAsDay,
  to: parseAsDay,
  model: parseAsString,
  text: parseAsString.withDefault(""),
};

const serialize = createSerializer(PARSERS);

const NOTHING = {
  mine: null,
  assigned: null,
  aside: null,
  risk: null,
  graph: null,
  age: null,
  expiring: null,
  from: null,
  to: null,
  model: null,
  text: null,
} as const;

const filterOf = (state: inferParserType<typeof PARSERS>): InboxFilter => ({
  ...state,
  model: state.model === null || state.model === "" ? null : state.model.slice(0, MOST_MODEL),
  text: state.text.slice(0, MOST_TEXT),
});

/** URL filter. Each choice adds a history entry; typing replaces it. */
export const useInboxFilter = () => {
  const [state, setState] = useQueryStates(PARSERS, { history: "push" });
  const filter = filterOf(state);

  return {
    filter,
    isNarrowed: isNarrowed(filter),
    search: serialize(state),
    choose: (change: Partial<InboxFilter>) => void setState(change),
    type: (text: string) => void setState({ text: text.slice(0, MOST_TEXT) }, { history: "replace" }),
    clear: () => void setState(NOTHING),
  };
};

/** Each URL change renders the page. */
const ADDRESS_MS = 400;

export const useQueueCursor = () => {
  const [current, setCurrent] = useQueryState("at", parseAsUuid.withOptions({ history: "replace", limitUrlUpdates: debounce(ADDRESS_MS) }));

  return {
    current,
    reach: useCallback((id: string) => void setCurrent(id), [setCurrent]),
    /** A later URL write would cancel a navigation. */
    settle: useCallback((id: string): Promise<unknown> => setCurrent(id, { limitUrlUpdates: throttle(0) }), [setCurrent]),
  };
};
