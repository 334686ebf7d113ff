import { addSearch } from './search.ts';
import { addCopyButtons, addTabs } from './samples.ts';

addTabs();
addCopyButtons();
addSearch();
// The current page may be far down in a long list.
document.querySelector('.sidebar [aria-current]')?.scrollIntoView({ block: 'nearest' });
