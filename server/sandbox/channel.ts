/** Descriptor of our programs' channel to their parent; 3 is the launcher's. */
export const CHANNEL_FD = 4;

/** To the container broker. */
export const BROKER_FD = 5;
