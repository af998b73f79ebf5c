/** The file descriptor on which a program of ours speaks with the process that started it; 3 is the launcher's. */
export const CHANNEL_FD = 4;
