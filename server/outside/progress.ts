export type Progress = { readonly progress: number; readonly message?: string };

/** Tells each record and change once; MCP demands a rising number. */
export const createProgress = (notify: (progress: Progress) => Promise<void>) => {
  let version = -1;
  let changes = 0;
  let told: string | null = null;

  return async (now: number, said: string | null): Promise<void> => {
    const isNewer = now > version;
    if (!isNewer && (said === null || said === told)) return;
    changes = isNewer ? 0 : changes + 1;
    version = Math.max(version, now);
    told = said;
    await notify({ progress: version + 1 - 1 / (changes + 1), ...(said === null ? {} : { message: said }) });
  };
};
