"""The scripts that `make bench` starts as processes of their own, written as their tools' own pages
show them. All but `all_pairs` and `stopwatch` are peers.
"""
