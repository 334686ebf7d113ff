/** What a page gains where scripts run: search, a button that copies, one language of several. No text becomes markup. */
import { addSearch } from './search.ts';
import { addCopyButtons, addTabs } from './samples.ts';

addTabs();
addCopyButtons();
addSearch();
// Far down in a long list.
document.querySelector('.sidebar [aria-current]')?.scrollIntoView({ block: 'nearest' });
