const UUID = /([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu;

/** Shortens the UUIDs in a ledger path. */
export const shortenPath = (path: string): string => path.replaceAll(UUID, "$1");
