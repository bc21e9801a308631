"""Reports on results: text for the terminal, figures, progress.

* ``words``: numbers as short text, aligned tables, names of firms as people write them.
* ``summary``: an ensemble in two screens; ``differences``: a comparison; ``calendar``: what bound whom, when.
* ``figures``: the pictures; ``style``: their colours and fan bands.
* ``progress``: a line on the terminal while the model runs.

Nothing is loaded before it is used: the terminal text needs no plotting library.
"""
