/** No honest demo text needs these words: they mark an attempt to steer its reader. */
export const SUSPICIOUS = /untrusted|assistant|instructions|library__publish|publish at once|already reviewed|skip the/i;
