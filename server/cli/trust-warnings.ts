export const KEYS_FROM_EXPORT =
  "The keys come from the export itself: anyone who forged the export could have forged them too. Use --anchor FILE or --keys FILE from a source you trust.";
