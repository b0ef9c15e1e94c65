/** Moments as people read them in a list or a title. */

/** The time of day of a moment of today; of another day, also the day. */
export function shortTime(moment: Date, now = new Date()): string {
  const time = moment.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
  if (moment.toDateString() === now.toDateString()) {
    return time;
  }
  const year = moment.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' as const };
  return `${moment.toLocaleDateString(undefined, { day: 'numeric', month: 'short', ...year })}, ${time}`;
}
